/**
 * `npm run bench [name …]`: ours beside a raw server and a conventional stack, and the web client
 * beside its goals. Prints medians and ratios; `--json` prints them as JSON, with the progress on the
 * error stream.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buildServerIfStale } from '../scripts/build-server.ts'
import { buildWebIfStale } from '../scripts/build-web.ts'
import { readCommandLine } from '../src/server/platform/command-line.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import type { ClientBenchmark, GoalFinding } from './harness/goals.ts'
import { goalTable } from './harness/goals.ts'

const folder = import.meta.dirname
const fewestRoundsToQuote = 5

const compared = (await readdir(join(folder, 'benchmarks'))).map((file) => basename(file, '.ts'))
/** What has goals and no contenders: the web client, whole nodes. */
const clients: Readonly<Record<string, () => Promise<{ measure: ClientBenchmark }>>> = {
  costs: () => import('./clients/costs.ts'),
  pages: () => import('./clients/pages.ts'),
  photos: () => import('./clients/photos.ts'),
  rooms: () => import('./clients/rooms.ts'),
  footprint: () => import('./clients/footprint.ts'),
}
const known = [...compared, ...Object.keys(clients)]
const { names, rounds, seconds, only, soakMinutes, json } = readArguments()
const wanted = names.filter((name) => compared.includes(name))
if (wanted.length > 0) await installDependencies()
// Ours does not start without its web client; how old that one is does not matter here.
if (!existsSync(join(folder, '../dist/web'))) await buildWebIfStale({ print: progress })
await buildServerIfStale({ print: progress })

const findings = wanted.length > 0 ? await compare(wanted) : []
const goals: GoalFinding[] = []
for (const name of names) {
  const client = await clients[name]?.()
  if (client) goals.push(...(await client.measure({ rounds, soakMinutes, progress })))
}
const tables = [
  ...findings.map(({ table }) => table),
  ...(goals.length > 0 ? [goalTable(goals)] : []),
]
process.stdout.write(
  json
    ? `${JSON.stringify([...findings.map(({ finding }) => finding), ...goals], null, 2)}\n`
    : `\n${tables.join('\n')}`,
)
if (rounds < fewestRoundsToQuote)
  progress(`\nFewer than ${fewestRoundsToQuote} rounds: a look, not a measurement.\n`)

async function compare(names: readonly string[]) {
  // Only now: what it imports may just have been installed.
  const { runBenchmark } = await import('./harness/run-benchmark.ts')
  const { tableOf } = await import('./harness/report.ts')
  const postgres = await startPostgres()
  try {
    const findings = []
    for (const name of names) {
      for (const finding of await runBenchmark(postgres, name, { rounds, seconds, only, progress }))
        findings.push({ finding, table: tableOf(finding) })
    }
    return findings
  } finally {
    await postgres.stop()
  }
}

function readArguments() {
  const { values, positionals } = readCommandLine({
    usage:
      'npm run bench -- [name …] [--rounds=5] [--seconds=3] [--only=request] [--soak=minutes] [--json]',
    words: 'any',
    options: {
      rounds: { type: 'string', default: String(fewestRoundsToQuote) },
      seconds: { type: 'string', default: '3' },
      only: { type: 'string' },
      soak: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined) fail(`there is no benchmark ${unknown}, only ${known.join(', ')}`)
  return {
    names: positionals.length > 0 ? positionals : known,
    rounds: wholeNumber('--rounds', values.rounds, 50),
    seconds: wholeNumber('--seconds', values.seconds, 60),
    only: values.only,
    /** For rooms, whose screens then stay for so long. */
    soakMinutes: values.soak === undefined ? 0 : wholeNumber('--soak', values.soak, 600),
    json: values.json,
  }
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = /^[1-9]\d*$/.test(text) ? Number(text) : NaN
  if (value <= most) return value
  return fail(`${name} must be a whole number from 1 to ${most}`)
}

function fail(complaint: string): never {
  process.stderr.write(`${complaint}\n`)
  process.exit(1)
}

/** The peers live in bench/node_modules, put there when they are missing or older than the lockfile. */
async function installDependencies(): Promise<void> {
  const installed = join(folder, 'node_modules/.package-lock.json')
  const wanted = join(folder, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  progress('installing what the benchmarks compare with\n')
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--include=dev'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const [code] = await once(npm, 'exit')
  if (code !== 0) fail('npm ci failed in bench/')
}

function progress(text: string): void {
  process.stderr.write(text)
}
