/** Turns spending into the series of a plot: every day of the period, the largest features in order. */
import type { client } from '../../api.ts'
import type { PlotSeries } from '../../ui/plot-scale.ts'
import { featureName } from './feature-name.ts'
import { words } from './words.ts'

type Spending = Awaited<ReturnType<typeof client.credits.spending>>

/** The number of features with their own colour; all others are one series. */
const maxParts = 5

export function spendingSeries({ from, to, spent }: Spending): PlotSeries[] {
  const byFeature = Map.groupBy(spent, ({ feature }) => feature)
  const ranked = [...byFeature].toSorted(([, one], [, other]) => sum(other) - sum(one))
  const parts = ranked.slice(0, maxParts).map(([feature, entries]) => ({
    label: featureName(feature),
    entries,
  }))
  const rest = ranked.slice(maxParts).flatMap(([, entries]) => entries)
  if (rest.length > 0) parts.push({ label: words.everythingElse, entries: rest })
  const days = daysBetween(from, to)
  return parts.map(({ label, entries }) => ({
    label,
    points: days.map((day) => ({ day, value: sum(entries.filter((entry) => entry.day === day)) })),
  }))
}

export function sum(entries: readonly { readonly credits: number }[]): number {
  return entries.reduce((total, { credits }) => total + credits, 0)
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  const maxDays = 90
  const day = new Date(`${from}T00:00:00Z`)
  while (days.length < maxDays && day.toISOString().slice(0, 10) <= to) {
    days.push(day.toISOString().slice(0, 10))
    day.setUTCDate(day.getUTCDate() + 1)
  }
  return days
}
