/**
 * What a new embedded database begins with. PostgreSQL's initdb makes the same in every folder, and
 * takes half of the processor time that a first start needs until it is ready: so the build makes it
 * once. Where that was not done, or another version did it, PGlite makes it anew.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/** As a tar, which is what PGlite takes; null where there is none that can be used. */
export async function readTemplate(place?: string): Promise<Blob | null> {
  try {
    // Unpacked here: PGlite would leave the failure of a broken one to nobody.
    const tar = await promisify(gunzip)(await readFile(place ?? (await templatePlace())))
    return new Blob([tar], { type: 'application/x-tar' })
  } catch {
    return null
  }
}

/** Safe to do several times at once: the last to finish stays. */
export async function makeTemplate(place: string): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite')
  const pglite = await PGlite.create('memory://')
  await pglite.exec('checkpoint')
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  const draft = `${place}.${process.pid}`
  await mkdir(dirname(place), { recursive: true })
  try {
    await writeFile(draft, await promisify(gzip)(await dump.arrayBuffer()))
    await rename(draft, place)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Under the version that has made it, which alone can be trusted to open it. */
export async function templatePlace(): Promise<string> {
  const described = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
  const { version } = JSON.parse(await readFile(described, 'utf8')) as { version: string }
  return fileURLToPath(new URL(`../../../dist/embedded/${version}.tar.gz`, import.meta.url))
}
