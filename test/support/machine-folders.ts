/** A folder with pictures, as FOLDERS_DIR would name one, and another folder outside it. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type MachineFolders = {
  readonly dir: string
  /** Beside it, and not accessible to the service. */
  readonly outside: string
  readonly write: (path: string, bytes: Uint8Array, modified?: Date) => Promise<void>
  readonly writeOutside: (path: string, bytes: Uint8Array) => Promise<void>
  readonly remove: () => Promise<void>
}

export async function createMachineFolders(): Promise<MachineFolders> {
  const home = await mkdtemp(join(tmpdir(), 'lanternist-folders-'))
  const [dir, outside] = [join(home, 'offered'), join(home, 'private')]
  await mkdir(dir)
  await mkdir(outside)
  const put = async (path: string, bytes: Uint8Array, modified?: Date) => {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    if (modified) await utimes(path, modified, modified)
  }
  return {
    dir,
    outside,
    write: (path, bytes, modified) => put(join(dir, path), bytes, modified),
    writeOutside: (path, bytes) => put(join(outside, path), bytes),
    remove: () => rm(home, { recursive: true, force: true }),
  }
}
