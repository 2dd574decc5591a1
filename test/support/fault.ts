/** What `npm run faults` runs: a promise that must hold however the service is broken. */
import { createHash } from 'node:crypto'

export type Fault = {
  /** The promise in words. */
  readonly promise: string
  /** Rejects where the promise is broken; says in `say` what it tried, for whoever reads along. */
  readonly run: (tools: FaultTools) => Promise<void>
}

export type FaultTools = {
  readonly random: Random
  readonly say: (line: string) => void
  readonly options: FaultOptions
}

/** What the command line asks of the faults that know it. */
export type FaultOptions = {
  /** How long to go on; null: as long as the fault deems right. */
  readonly seconds: number | null
  /** Break the code's promise on purpose, to see that the fault notices. */
  readonly mutant: boolean
}

/** The same numbers for the same seed. */
export type Random = {
  /** From 0, below 1. */
  fraction(): number
  /** Whole numbers, both ends included. */
  between(min: number, max: number): number
}

export function seededRandom(seed: string): Random {
  let drawn = 0
  const fraction = () => {
    const digest = createHash('sha256').update(`${seed}/${drawn++}`).digest()
    return digest.readUInt32BE() / 2 ** 32
  }
  return { fraction, between: (min, max) => min + Math.floor(fraction() * (max - min + 1)) }
}
