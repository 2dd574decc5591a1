/** Runs rows of `npm run faults` on a copy of the tree with a bug in one line (mutation test). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Mutant } from '../test/support/fault.ts'

const root = resolve(import.meta.dirname, '..')
const leftOut = new Set(['node_modules', '.git', '.cache', 'data'].map((name) => join(root, name)))

/** Returns the exit code of the runner on the copy. */
export async function runMutant(mutant: Mutant, args: readonly string[]): Promise<number> {
  const place = await mkdtemp(join(tmpdir(), 'lanternist-mutant-'))
  const copy = join(place, 'tree')
  try {
    await cp(root, copy, {
      recursive: true,
      filter: (path) => !leftOut.has(path),
    })
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
    // The corpora are beside the repository, if there are any.
    await symlink(resolve(root, '../shared'), join(place, 'shared'))
    await writeFile(join(copy, mutant.file), await mutated(mutant))
    const child = spawn(process.execPath, ['scripts/faults.ts', ...args], {
      cwd: copy,
      stdio: 'inherit',
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 2
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** Returns the file's text with the line replaced. */
export async function mutated({ file, line, becomes }: Mutant): Promise<string> {
  const text = await readFile(join(root, file), 'utf8')
  const [before, after, ...more] = text.split(line)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} must hold this once: ${line}`)
  return `${before}${becomes}${after}`
}
