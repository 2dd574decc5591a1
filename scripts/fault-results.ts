/** Stores the results in a JSON file after each check, so a run that ends early keeps its results. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CheckResult } from '../test/support/fault.ts'

export type FaultResults = {
  readonly checks: readonly CheckResult[]
  readonly add: (result: CheckResult) => void
  /** Records that the run is complete. */
  readonly end: () => void
}

export function openResults(file: string, about: Readonly<Record<string, unknown>>): FaultResults {
  const checks: CheckResult[] = []
  const startedAt = new Date().toISOString()
  let endedAt: string | null = null
  const write = () =>
    writeFileSync(file, `${JSON.stringify({ ...about, startedAt, endedAt, checks }, null, 2)}\n`)
  mkdirSync(dirname(file), { recursive: true })
  write()
  return {
    checks,
    add(result) {
      checks.push(result)
      write()
    },
    end() {
      endedAt = new Date().toISOString()
      write()
    },
  }
}
