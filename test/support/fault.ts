/** What a row of `npm run faults` is: a load, a goal, and how one is held against the other. */
import { createHash } from 'node:crypto'

/** One file under test/faults, which exports it as `row`. */
export type FaultRow = {
  /** The most that it may take; past that it is ended and has failed. */
  readonly budgetSeconds: number
  /** Rows that take too long for the table run when they are asked for by name. */
  readonly runs: 'in the table' | 'by name'
  /** What its checks need, but for those that say otherwise. Alone, unless told. */
  readonly machine?: Machine
  /** The tests that keep the same promises with a small load. */
  readonly shortTests: readonly string[]
  /** A known-bad build, which this row must not let pass. */
  readonly mutant: Mutant
  readonly checks: readonly FaultCheck[]
}

/**
 * `shared` where other checks may run beside it: nothing is held against a time of a few seconds, so
 * that a machine that does two things at once makes no difference. `waiting` where it also leaves the
 * processor to others for most of its time.
 */
export type Machine = 'shared' | 'waiting' | 'alone'

export type FaultCheck = {
  readonly machine?: Machine
  /** Part of `--smoke`: few seconds of processor time with the smallest load. */
  readonly inSmoke?: true
  readonly load: string
  readonly goal: string
  readonly run: (tools: FaultTools) => Promise<Verdict>
}

export function machineOf(row: FaultRow, check: FaultCheck): Machine {
  return check.machine ?? row.machine ?? 'alone'
}

/** One line of one file that is written otherwise. */
export type Mutant = { readonly file: string; readonly line: string; readonly becomes: string }

export type Verdict = {
  readonly measured: string
  /** What did not hold, in words; none: the check has passed. */
  readonly misses: readonly string[]
}

export type FaultTools = {
  readonly random: Random
  readonly say: (line: string) => void
  /** As much of a load as the command line asked for, but no less than the least. */
  readonly scaled: (full: number, least?: number) => number
  /** Called when the check has ended, however it ended; the latest first. */
  readonly afterwards: (close: () => Promise<unknown>) => void
}

/** What one check has come to, as the table shows it. */
export type CheckResult = Verdict & {
  readonly row: string
  readonly load: string
  readonly goal: string
  readonly seconds: number
  /** Processor time of the check and all that it started; null where it did not end by itself. */
  readonly cpuSeconds: number | null
  /** False where it broke before it could judge. */
  readonly hasVerdict: boolean
}

/** Each promise by the words that say how it was broken. */
export function verdict(measured: string, held: Readonly<Record<string, boolean>>): Verdict {
  const misses = Object.entries(held).flatMap(([broken, isHeld]) => (isHeld ? [] : [broken]))
  return { measured, misses }
}

/**
 * A window for rate limits in which no token returns while a row runs: on a slow machine a refill would
 * look like a hole in the limit.
 */
export const noRefillSeconds = 100 * 86_400

/** The same numbers for the same seed. */
export type Random = {
  /** From 0, below 1. */
  fraction(): number
  /** Whole numbers, both ends included. */
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
