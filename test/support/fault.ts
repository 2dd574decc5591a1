/** The types of a row of `npm run faults`: a load, a goal, and the comparison of both. */
import { createHash } from 'node:crypto'

/** A file under test/faults exports it as `row`. */
export type FaultRow = {
  /** The time limit; a row that exceeds it is stopped and has failed. */
  readonly budgetSeconds: number
  /** Rows that take too long for the table run only by name. */
  readonly runs: 'in the table' | 'by name'
  /** The default for its checks; `alone` if omitted. */
  readonly machine?: Machine
  /** The tests that check the same promises with a small load. */
  readonly shortTests: readonly string[]
  /** A known faulty build, which this row must reject. */
  readonly mutant: Mutant
  readonly checks: readonly FaultCheck[]
}

/**
 * `shared` if other checks may run at the same time: it compares nothing with a time of a few seconds, so a
 * busy machine makes no difference. `waiting` if it also leaves the processor idle most of the time.
 */
export type Machine = 'shared' | 'waiting' | 'alone'

export type FaultCheck = {
  readonly machine?: Machine
  /** Part of `--smoke`: a few seconds of processor time with the smallest load. */
  readonly inSmoke?: true
  readonly load: string
  readonly goal: string
  readonly run: (tools: FaultTools) => Promise<Verdict>
}

export function machineOf(row: FaultRow, check: FaultCheck): Machine {
  return check.machine ?? row.machine ?? 'alone'
}

/** A change of one line of one file. */
export type Mutant = { readonly file: string; readonly line: string; readonly becomes: string }

export type Verdict = {
  readonly measured: string
  /** The broken promises as texts; empty if the check has passed. */
  readonly misses: readonly string[]
}

export type FaultTools = {
  readonly random: Random
  readonly say: (line: string) => void
  /** Scales a load by the factor of the command line, but not below the minimum. */
  readonly scaled: (full: number, min?: number) => number
  /** Registers a function that is called when the check has ended, in any way; the latest first. */
  readonly afterwards: (close: () => Promise<unknown>) => void
}

/** The result of one check, as the table shows it. */
export type CheckResult = Verdict & {
  readonly row: string
  readonly load: string
  readonly goal: string
  readonly seconds: number
  /** Processor time of the check and its child processes; null if it did not end by itself. */
  readonly cpuSeconds: number | null
  /** False if it failed before its verdict. */
  readonly hasVerdict: boolean
}

/** Creates a verdict. Each key is the text for a broken promise. */
export function verdict(measured: string, held: Readonly<Record<string, boolean>>): Verdict {
  const misses = Object.entries(held).flatMap(([broken, isHeld]) => (isHeld ? [] : [broken]))
  return { measured, misses }
}

/**
 * A window for rate limits in which no token returns during a row: on a slow machine a refill would look like
 * a hole in the limit.
 */
export const noRefillSeconds = 100 * 86_400

/** The same seed returns the same numbers. */
export type Random = {
  /** Returns a number from 0, below 1. */
  fraction(): number
  /** Returns a whole number, both ends included. */
  between(min: number, max: number): number
  pick<T>(list: readonly T[]): T
}

export function seededRandom(seed: string): Random {
  let drawn = 0
  const fraction = () => {
    const digest = createHash('sha256').update(`${seed}/${drawn++}`).digest()
    return digest.readUInt32BE() / 2 ** 32
  }
  return {
    fraction,
    between: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    pick(list) {
      const picked = list[Math.floor(fraction() * list.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
  }
}
