/**
 * The ratios of earlier runs, one line of JSON for each, kept in the repository. A later run shows
 * which ratios fell, so that a slower request is noticed before a release.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

export const historyFile = fileURLToPath(new URL('../bench/history.jsonl', import.meta.url))

/** A ratio below this part of the previous one has fallen; smaller changes are noise. */
const minKept = 0.9

const entryShape = z.object({
  commit: z.string(),
  measuredAt: z.iso.datetime(),
  /** Ratios vary less between machines than figures, but they vary. */
  machine: z.string(),
  rounds: z.number(),
  secondsPerRound: z.number(),
  /** Ours divided by raw, by benchmark, request and figure. */
  ratios: z.record(z.string(), z.number()),
})

export type HistoryEntry = z.infer<typeof entryShape>

export type Fall = {
  readonly name: string
  readonly ratio: number
  readonly before: number
  readonly commit: string
}

/** Returns the ratios that fell by more than a tenth, each against the last entry that has it. */
export function fallsOf(
  ratios: Readonly<Record<string, number>>,
  history: readonly HistoryEntry[],
): Fall[] {
  return Object.entries(ratios).flatMap(([name, ratio]) => {
    const last = history.findLast((entry) => name in entry.ratios)
    const before = last?.ratios[name]
    if (!last || before === undefined || ratio >= before * minKept) return []
    return [{ name, ratio, before, commit: last.commit }]
  })
}

export function fallLine({ name, ratio, before, commit }: Fall): string {
  const change = Math.round((1 - ratio / before) * 100)
  return `${name}: ${ratio} of raw, ${before} at ${commit.slice(0, 9)} (${change} % less)`
}

export function readHistory(file = historyFile): HistoryEntry[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.filter((line) => line !== '').map((line) => entryShape.parse(JSON.parse(line)))
}

export function saveEntry(entry: Omit<HistoryEntry, 'machine'>, file = historyFile): void {
  appendFileSync(file, `${JSON.stringify({ ...entry, machine: machineName() })}\n`)
}

function machineName(): string {
  const cores = cpus()
  return `${cores.length} × ${cores[0]?.model.trim() ?? 'unknown processor'}`
}
