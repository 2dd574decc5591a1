/** What is measured against a goal and not against contenders: the figures, and their table. */
import { median } from './median.ts'

export type GoalFinding = {
  readonly benchmark: string
  readonly what: string
  readonly unit: string
  /** The median of the rounds, with the lowest and the highest of a single one. */
  readonly median: number
  readonly lowest: number
  readonly highest: number
  readonly goal: number
}

export type ClientBenchmark = (options: {
  readonly rounds: number
  /** How long what can last is to last; 0 for not at all. */
  readonly soakMinutes: number
  readonly progress: (text: string) => void
}) => Promise<GoalFinding[]>

export function goalFinding(
  named: Pick<GoalFinding, 'benchmark' | 'what' | 'unit' | 'goal'>,
  figures: readonly number[],
): GoalFinding {
  const sorted = figures.toSorted((one, other) => one - other)
  return {
    ...named,
    median: median(figures),
    lowest: sorted[0] ?? NaN,
    highest: sorted.at(-1) ?? NaN,
  }
}

/** One table for all, with a word at what misses its goal. */
export function goalTable(findings: readonly GoalFinding[]): string {
  const rows = findings.map(({ benchmark, what, unit, median, lowest, highest, goal }) => {
    const named = `${benchmark}: ${what}, ${unit}`.padEnd(52)
    const range = `(${round(lowest)}-${round(highest)})`
    const isMet = median <= goal
    return `  ${named}${round(median).padStart(10)} ${range.padEnd(18)}${`at most ${goal}`.padStart(14)}${isMet ? '' : '  MISSED'}`
  })
  return `medians and the goals that they have\n\n${rows.join('\n')}\n`
}

function round(figure: number): string {
  return String(Math.round(figure * 1000) / 1000)
}
