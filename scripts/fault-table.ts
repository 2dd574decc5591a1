/** Renders the results of the rows as one Markdown table. */
import type { CheckResult } from '../test/support/fault.ts'

const titles = ['row', 'load', 'measured', 'goal', 'pass'] as const

export function renderTable(results: readonly CheckResult[]): string {
  const rows = results.map(({ row, load, measured, goal, misses, seconds }) => [
    `${row} (${seconds} s)`,
    load,
    measured,
    goal,
    misses.length === 0 ? 'yes' : `NO: ${misses.join('; ')}`,
  ])
  const lines = [titles, titles.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n')
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
}
