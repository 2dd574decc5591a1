/** Makes what new embedded databases begin with. */
import { chmod, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { templatePlace } from '../src/server/database/embedded-template.ts'
import type { BuildOptions } from './staged-build.ts'
import { buildIfStale } from './staged-build.ts'

/** All that the name of a template depends on. */
const sources = ['migrations', 'src/server/database/live-views.ts', 'package-lock.json']

export function buildEmbeddedIfStale(options: BuildOptions = {}): Promise<'built' | 'up to date'> {
  return buildIfStale({ name: 'embedded', words: 'embedded database', sources, make }, options)
}

async function make(_root: string, folder: string): Promise<void> {
  await makeTemplate(join(folder, basename(await templatePlace())))
}

export async function makeTemplate(folder: string): Promise<void> {
  // Only now: it is half of the service, and most starts find a template.
  const { PGlite } = await import('@electric-sql/pglite')
  const { embeddedOptions, handleOf } = await import('../src/server/database/embedded.ts')
  const { installDatabase } = await import('./install-database.ts')
  const pglite = await PGlite.create(folder, embeddedOptions)
  try {
    await installDatabase(handleOf(pglite))
  } finally {
    await pglite.close()
  }
  await openToAll(folder)
}

/** The service may run as somebody else than who has built it. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}
