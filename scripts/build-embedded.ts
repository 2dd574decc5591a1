/** Builds the database template that new embedded databases start from. */
import { chmod, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { templateFile } from '../src/server/database/embedded-template.ts'
import type { BuildOptions } from './staged-build.ts'
import { buildIfStale } from './staged-build.ts'

/** Everything that the name of the template depends on. */
const sources = ['migrations', 'src/server/database/live-views.ts', 'package-lock.json']

export function buildEmbeddedIfStale(options: BuildOptions = {}): Promise<'built' | 'up to date'> {
  return buildIfStale({ name: 'embedded', words: 'embedded database', sources, make }, options)
}

async function make(_root: string, folder: string): Promise<void> {
  await makeTemplate(join(folder, basename(await templateFile())))
}

export async function makeTemplate(folder: string): Promise<void> {
  // Loaded only here: it is half of the service, and most starts find a template.
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

/** Makes the folder readable for all users: the service may run as another user than the build. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644)
}
