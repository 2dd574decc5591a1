/** What was spent, as a plot wants it: every day of the span, with the largest features in order. */
import type { client } from '../../api.ts'

type Spending = Awaited<ReturnType<typeof client.credits.spending>>

/** So many have a colour of their own; the rest is one part. */
const mostParts = 5

export const restPart = ''

export type SpendingPlot = {
  /** Keys of features, the largest first; the rest comes last, as `restPart`. */
  readonly parts: readonly { readonly feature: string; readonly credits: number }[]
  readonly days: readonly SpendingDay[]
  readonly total: number
}

export type SpendingDay = {
  /** YYYY-MM-DD */
  readonly day: string
  readonly total: number
  /** One figure for each part. */
  readonly credits: readonly number[]
}

export function plotOf({ from, to, spent }: Spending): SpendingPlot {
  const byFeature = new Map<string, number>()
  for (const { feature, credits } of spent)
    byFeature.set(feature, (byFeature.get(feature) ?? 0) + credits)
  const ranked = [...byFeature.keys()].toSorted(
    (one, other) => (byFeature.get(other) ?? 0) - (byFeature.get(one) ?? 0),
  )
  const hasRest = ranked.length > mostParts
  const own = ranked.slice(0, mostParts)
  const partOf = (feature: string) => (own.includes(feature) ? feature : restPart)
  const features = hasRest ? [...own, restPart] : own
  const days = daysBetween(from, to).map((day) => {
    const ofDay = spent.filter((entry) => entry.day === day)
    const credits = features.map((part) =>
      sum(ofDay.filter(({ feature }) => partOf(feature) === part)),
    )
    return { day, credits, total: sum(ofDay) }
  })
  const parts = features.map((part) => ({
    feature: part,
    credits: sum(spent.filter(({ feature }) => partOf(feature) === part)),
  }))
  return { parts, days, total: sum(spent) }
}

/** A round figure that no day is above, in as many steps as lines are drawn. */
export function scaleOf(days: readonly SpendingDay[], steps: number): number {
  const most = Math.max(steps, ...days.map(({ total }) => total))
  const magnitude = 10 ** Math.floor(Math.log10(most / steps))
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * magnitude * steps >= most) ?? 10
  return Math.ceil(step * magnitude) * steps
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  const mostDays = 90
  const day = new Date(`${from}T00:00:00Z`)
  while (days.length < mostDays && day.toISOString().slice(0, 10) <= to) {
    days.push(day.toISOString().slice(0, 10))
    day.setUTCDate(day.getUTCDate() + 1)
  }
  return days
}

function sum(entries: readonly { readonly credits: number }[]): number {
  return entries.reduce((total, { credits }) => total + credits, 0)
}
