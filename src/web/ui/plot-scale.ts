/** The data of a plot and its vertical scale. */

export type PlotSeries = {
  readonly label: string
  /** The same days in every series, oldest first, written as '2026-11-16'. */
  readonly points: readonly { readonly day: string; readonly value: number }[]
}

export type PlotKind = 'bars' | 'lines'

/** Equal to the height on the page, so that a gap of one unit is one pixel. */
export const heightPx = 168

export function highest(series: readonly PlotSeries[], kind: PlotKind, days: number): number {
  const heights = Array.from({ length: days }, (_, day) => {
    const values = series.map(({ points }) => points[day]?.value ?? 0)
    return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
  })
  return Math.max(0, ...heights)
}

/** Returns round steps from zero up to the first that is not below the value. */
export function axisMarks(value: number): number[] {
  const rough = Math.max(1, value / 3)
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude
  const steps = Math.max(1, Math.ceil(value / step))
  return Array.from({ length: steps + 1 }, (_, index) => index * step)
}

/** Returns the distance from the upper edge, as SVG measures it. */
export function heightOf(value: number, top: number): number {
  return heightPx - (value / top) * heightPx
}
