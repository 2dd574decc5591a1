/**
 * Runs `npm run release -- <version>`: moves the Unreleased entries in CHANGELOG.md under the version and
 * date, writes the version into package.json and the lock, and prints how to commit and tag it.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { reasonOf } from '../src/server/platform/start-error.ts'
import { type HistoryEntry, readHistory } from './bench-history.ts'

export type ReleaseFiles = { changelog: string; packageFile: string; lock: string }

const usage = `usage: npm run release -- <version> [--without-tests]
  <version>         such as 0.3.0, newer than package.json's
  --without-tests   where another machine has run \`npm run test:full\` on this commit
`
const unreleased = '## Unreleased\n'

/** Returns the new content of the three files, or throws the reason against the release. */
export function writeRelease(files: ReleaseFiles, version: string, date: string): ReleaseFiles {
  const { version: current } = JSON.parse(files.packageFile) as { version: string }
  if (!isNewer(version, current))
    throw new Error(`${version} is no version after ${current}; give three numbers, such as 0.3.0`)
  const [before, after] = files.changelog.split(unreleased)
  if (before === undefined || after === undefined)
    throw new Error('CHANGELOG.md has no part that is called Unreleased')
  const [entries = ''] = after.split('\n## ')
  if (!/^- /m.test(entries)) throw new Error('CHANGELOG.md has nothing under Unreleased')
  return {
    changelog: `${before}${unreleased}\n## ${version} (${date})\n${after}`,
    packageFile: withVersion(files.packageFile, current, version, 1),
    lock: withVersion(files.lock, current, version, 2),
  }
}

function isNewer(version: string, current: string): boolean {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return false
  const [wanted, existing] = [version, current].map((text) => text.split('.').map(Number))
  const at = [0, 1, 2].find((index) => wanted?.[index] !== existing?.[index])
  return at !== undefined && Number(wanted?.[at]) > Number(existing?.[at])
}

/** Replaces only the project's own version: the lock has the versions of all packages, after ours. */
function withVersion(text: string, current: string, version: string, times: number): string {
  const line = `"version": "${current}"`
  let written = text
  for (let count = 0; count < times; count += 1) {
    if (!written.includes(line)) throw new Error(`a file does not have version ${current}`)
    written = written.replace(line, `"version": "${version}"`)
  }
  return written
}

function release(words: string[]): string {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { 'without-tests': { type: 'boolean' }, help: { type: 'boolean' } },
  })
  const [version, ...others] = positionals
  if (values.help || version === undefined || others.length > 0) return usage
  if (git('status', '--porcelain') !== '')
    throw new Error('the tree has changes; commit them first')
  const head = git('rev-parse', 'HEAD')
  if (!values['without-tests'] && testedCommit() !== head)
    throw new Error(`run \`npm run test:full\` first: it has not passed on ${head.slice(0, 9)}`)
  if (!isMeasured(readHistory(), benchmarkNames(), isServiceOf))
    throw new Error('run `npm run bench -- --compare --save` first, and commit bench/history.jsonl')
  const date = new Date().toISOString().slice(0, 10)
  const { changelog, packageFile, lock } = writeRelease(
    {
      changelog: readFileSync(pathOf('CHANGELOG.md'), 'utf8'),
      packageFile: readFileSync(pathOf('package.json'), 'utf8'),
      lock: readFileSync(pathOf('package-lock.json'), 'utf8'),
    },
    version,
    date,
  )
  writeFileSync(pathOf('CHANGELOG.md'), changelog)
  writeFileSync(pathOf('package.json'), packageFile)
  writeFileSync(pathOf('package-lock.json'), lock)
  return `${version} is written. Look at it, then:
  git commit --all --message "release: ${version}" && git tag --annotate v${version} --message "Lanternist ${version}"
`
}

/** Returns true if all benchmarks were measured and saved for the current service. */
export function isMeasured(
  history: readonly HistoryEntry[],
  benchmarks: readonly string[],
  isServiceOf: (commit: string) => boolean,
): boolean {
  const names = history
    .filter(({ commit }) => isServiceOf(commit))
    .flatMap(({ ratios }) => Object.keys(ratios))
  return benchmarks.every((benchmark) => names.some((name) => name.startsWith(`${benchmark}: `)))
}

function benchmarkNames(): string[] {
  return readdirSync(pathOf('bench/benchmarks')).map((file) => basename(file, '.ts'))
}

/**
 * Returns true if the service is the same at this commit. An entry is saved before the commit that adds it.
 */
function isServiceOf(commit: string): boolean {
  try {
    git('diff', '--quiet', commit, 'HEAD', '--', 'src', 'migrations', 'package-lock.json')
    return true
  } catch {
    return false
  }
}

/** Returns the commit that `scripts/test.ts` recorded after a full run that passed. */
function testedCommit(): string | null {
  try {
    return readFileSync(pathOf('.cache/tested-commit'), 'utf8').trim()
  } catch {
    return null
  }
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: pathOf('.'), encoding: 'utf8' }).trim()
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url))
}

if (process.argv[1] === import.meta.filename) {
  try {
    process.stdout.write(release(process.argv.slice(2)))
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`)
    process.exitCode = 1
  }
}
