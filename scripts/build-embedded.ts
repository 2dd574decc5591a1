/** Makes what new embedded databases begin with, unless it is there. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { templatePlace } from '../src/server/database/embedded-template.ts'
import { announced } from './staged-build.ts'

export async function buildEmbeddedIfMissing(print: (text: string) => void): Promise<void> {
  const place = await templatePlace()
  if (existsSync(place)) return print('embedded database is up to date\n')
  await announced(print, 'making the embedded database', () => makeTemplate(place))
  await removeOthers(place)
}

/** Safe to do several times at once: the last to finish stays. */
export async function makeTemplate(place: string): Promise<void> {
  // Only now: it is half of the service, and most starts find a template.
  const { installedFolder } = await import('./installed-database.ts')
  const packed = await promisify(gzip)(await installedFolder())
  const draft = `${place}.${process.pid}`
  await mkdir(dirname(place), { recursive: true })
  try {
    await writeFile(draft, packed)
    await rename(draft, place)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Those of other versions. */
async function removeOthers(place: string): Promise<void> {
  const folder = dirname(place)
  for (const name of await readdir(folder))
    if (name.endsWith('.tar.gz') && name !== basename(place)) await rm(join(folder, name))
}
