/** Results that are compared with a goal instead of contenders, and their output. */
import type { Databases } from './databases.ts'
import { median } from './median.ts'
import type { Scale } from './scale.ts'

export type GoalFinding = {
  readonly benchmark: string
  readonly what: string
  readonly unit: string
  /** The median of the rounds, with the lowest and the highest single round. */
  readonly median: number
  readonly lowest: number
  readonly highest: number
  readonly goal: number
}

export type Goal = Pick<GoalFinding, 'benchmark' | 'what' | 'unit' | 'goal'>

/** A part of a benchmark without contenders. Parts run one after the other, also after a failure. */
export type ClientPart = (options: {
  readonly rounds: number
  /** The duration of soak tests; 0 skips them. */
  readonly soakMinutes: number
  readonly scale: Scale
  readonly databases: Databases
  readonly progress: (text: string) => void
  /** Reports a result: a figure for each round. */
  readonly found: (named: Goal, figures: readonly number[]) => void
}) => Promise<void>

export type ClientOptions = Parameters<ClientPart>[0]

export function goalFinding(named: Goal, figures: readonly number[]): GoalFinding {
  const sorted = figures.toSorted((one, other) => one - other)
  return {
    ...named,
    median: median(figures),
    lowest: sorted[0] ?? NaN,
    highest: sorted.at(-1) ?? NaN,
  }
}

/** Formats a result, marked if it misses its goal. */
export function goalLine(finding: GoalFinding): string {
  const { benchmark, what, unit, median, lowest, highest, goal } = finding
  const named = `${benchmark}: ${what}, ${unit}`.padEnd(52)
  const range = `(${round(lowest)}-${round(highest)})`
  const isMet = median <= goal
  return `  ${named}${round(median).padStart(10)} ${range.padEnd(18)}${`at most ${goal}`.padStart(14)}${isMet ? '' : '  MISSED'}`
}

function round(figure: number): string {
  return String(Math.round(figure * 1000) / 1000)
}
