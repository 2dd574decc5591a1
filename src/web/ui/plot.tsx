/**
 * Plots figures by day as stacked bars or lines. Pointing at a day shows its figures in the legend. A table
 * below holds all figures, as an alternative to the drawing.
 */
import { type PointerEvent, useState } from 'react'
import { formatNumber } from '../words/figures.ts'
import { formatPlainDay } from './plain-day.ts'
import {
  axisMarks,
  heightOf,
  heightPx,
  highest,
  type PlotKind,
  type PlotSeries,
} from './plot-scale.ts'
import { PlotTable } from './plot-table.tsx'

/** All plot colours of theme.css. Further series repeat the last one. */
const fills = [
  'fill-plot-1',
  'fill-plot-2',
  'fill-plot-3',
  'fill-plot-4',
  'fill-plot-5',
  'fill-plot-6',
]
const strokes = [
  'stroke-plot-1',
  'stroke-plot-2',
  'stroke-plot-3',
  'stroke-plot-4',
  'stroke-plot-5',
  'stroke-plot-6',
]

const gapPx = 1.5

export function Plot({
  title,
  period,
  series,
  kind,
  format = formatNumber,
}: {
  /** The accessible name of the plot and the caption of its table. */
  title: string
  /** The heading of the legend while no day is pointed at, such as 'Last 30 days'. */
  period: string
  series: readonly PlotSeries[]
  /** Bars stack; lines are for series that are compared, not added. */
  kind: PlotKind
  format?: (value: number) => string
}) {
  const [shownDay, setShownDay] = useState<number | null>(null)
  const days = series[0]?.points.map(({ day }) => day) ?? []
  const marks = axisMarks(highest(series, kind, days.length))
  const top = marks.at(-1) ?? 1
  const pointAt = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left) / width) * days.length)
    setShownDay(Math.min(days.length - 1, Math.max(0, index)))
  }
  return (
    <figure aria-label={title}>
      <Legend
        heading={shownDay === null ? period : formatPlainDay(days[shownDay] ?? '')}
        series={series}
        figureOf={(one) => format(legendFigure(one, shownDay))}
      />
      <div
        aria-hidden="true"
        dir="ltr"
        className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2"
      >
        <Marks marks={marks} format={format} />
        <svg
          viewBox={`0 0 ${Math.max(1, days.length)} ${heightPx}`}
          preserveAspectRatio="none"
          className="w-full touch-pan-y overflow-visible"
          style={{ height: heightPx }}
          onPointerMove={pointAt}
          onPointerDown={pointAt}
          onPointerLeave={() => setShownDay(null)}
        >
          <rect width={days.length} height={heightPx} fill="transparent" />
          {shownDay !== null && (
            <rect x={shownDay} width={1} height={heightPx} className="fill-press" />
          )}
          {marks.map((mark) => (
            <line
              key={mark}
              x2={days.length}
              y1={heightOf(mark, top)}
              y2={heightOf(mark, top)}
              vectorEffect="non-scaling-stroke"
              className="stroke-plot-grid"
            />
          ))}
          {kind === 'bars' ? (
            <Bars series={series} days={days.length} top={top} />
          ) : (
            <Lines series={series} top={top} />
          )}
        </svg>
        <div className="col-start-2 mt-2 flex justify-between text-2xs text-ink-3">
          {namedDays(days).map((day) => (
            <span key={day}>{formatPlainDay(day)}</span>
          ))}
        </div>
      </div>
      <PlotTable title={title} series={series} days={days} format={format} />
    </figure>
  )
}

function Legend({
  heading,
  series,
  figureOf,
}: {
  heading: string
  series: readonly PlotSeries[]
  figureOf: (one: PlotSeries) => string
}) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1.5 text-sm">
      <p className="min-w-24 text-ink-3">{heading}</p>
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5">
        {series.map((one, index) => (
          <li key={one.label} className="inline-flex items-center gap-2 text-ink-2">
            <svg viewBox="0 0 10 10" aria-hidden="true" className="size-2.5 shrink-0">
              <rect width={10} height={10} rx={2} className={colourAt(fills, index)} />
            </svg>
            {one.label}
            <b className="font-semibold text-ink">{figureOf(one)}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Marks({ marks, format }: { marks: readonly number[]; format: (value: number) => string }) {
  const top = marks.at(-1) ?? 1
  return (
    <div className="relative min-w-6 text-end text-2xs text-ink-3">
      {/* As wide as the widest label. */}
      <span className="invisible block h-0 overflow-hidden">{format(top)}</span>
      {marks.map((mark) => (
        <span
          key={mark}
          className="absolute end-0 -translate-y-1/2 whitespace-nowrap"
          style={{ top: heightOf(mark, top) }}
        >
          {format(mark)}
        </span>
      ))}
    </div>
  )
}

type DrawnSeries = { series: readonly PlotSeries[]; top: number }

function Bars({ series, days, top }: DrawnSeries & { days: number }) {
  return Array.from({ length: days }, (_, day) => {
    let below = 0
    return series.map((one, index) => {
      const value = one.points[day]?.value ?? 0
      const height = heightPx - heightOf(value, top)
      const foot = heightOf(below, top)
      below += value
      if (value <= 0) return null
      return (
        <rect
          key={`${day} ${one.label}`}
          x={day + 0.16}
          width={0.68}
          y={foot - height}
          // The gap is at the foot of the bar, and leaves at least one pixel of a small bar.
          height={Math.max(1, height - (foot < heightPx ? gapPx : 0))}
          className={colourAt(fills, index)}
        />
      )
    })
  })
}

function Lines({ series, top }: DrawnSeries) {
  return series.map((one, index) => (
    <polyline
      key={one.label}
      points={one.points
        .map(({ value }, day) => `${day + 0.5},${heightOf(value, top).toFixed(1)}`)
        .join(' ')}
      fill="none"
      strokeWidth={2}
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
      className={colourAt(strokes, index)}
    />
  ))
}

/** Returns the first, the middle and the last day. */
function namedDays(days: readonly string[]): string[] {
  const last = days.length - 1
  return [...new Set([0, Math.floor(last / 2), last])].flatMap((index) => days[index] ?? [])
}

function legendFigure({ points }: PlotSeries, shownDay: number | null): number {
  if (shownDay !== null) return points[shownDay]?.value ?? 0
  return points.reduce((sum, { value }) => sum + value, 0)
}

function colourAt(colours: readonly string[], index: number): string {
  return colours[Math.min(index, colours.length - 1)] ?? ''
}
