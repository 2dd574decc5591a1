/** Bars of what was spent, a day each, stacked by feature. Time runs from left to right in every language. */
import { useState } from 'react'
import { formatDayMonth, formatNumber } from '../../words/figures.ts'
import { featureName } from './feature-name.ts'
import { restPart, scaleOf, type SpendingDay, type SpendingPlot } from './spending-days.ts'
import { pageLocale } from '../../words/language.ts'
import { words } from './words.ts'

/** '16 Nov'. */
const shortDays = new Intl.DateTimeFormat(pageLocale(), { day: 'numeric', month: 'short' })

const heightPx = 190
const topPx = 10
const gapPx = 1.5
const steps = 3
/** Room for the figures of the scale. */
const marginPx = 44

const fills = [
  'fill-plot-1',
  'fill-plot-2',
  'fill-plot-3',
  'fill-plot-4',
  'fill-plot-5',
  'fill-plot-6',
] as const

const grounds = [
  'bg-plot-1',
  'bg-plot-2',
  'bg-plot-3',
  'bg-plot-4',
  'bg-plot-5',
  'bg-plot-6',
] as const

export function Bars({ plot }: { plot: SpendingPlot }) {
  const [pointedAt, setPointedAt] = useState<number | null>(null)
  const { days } = plot
  const most = scaleOf(days, steps)
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) return null
  const label = words.spendingOf({
    count: plot.total,
    from: dayName(first),
    to: dayName(last),
  })
  const day = pointedAt === null ? undefined : days[pointedAt]
  return (
    <div dir="ltr" className="relative" onPointerLeave={() => setPointedAt(null)}>
      <p className="sr-only">{label}</p>
      <svg aria-hidden="true" className="block h-[12.75rem] w-full overflow-visible">
        <Scale most={most} />
        <svg x={marginPx} width="100%" height={topPx + heightPx} className="overflow-visible">
          {days.map((day, index) => (
            <Bar
              key={day.day}
              day={day}
              place={index}
              count={days.length}
              most={most}
              isPointedAt={index === pointedAt}
              onPointAt={() => setPointedAt(index)}
            />
          ))}
        </svg>
      </svg>
      <DayNames days={days} />
      {day && day.total > 0 && (
        <Tip day={day} parts={plot.parts} share={((pointedAt ?? 0) + 0.5) / days.length} />
      )}
    </div>
  )
}

/** The colours by name, with what each came to. */
export function Legend({ parts }: Pick<SpendingPlot, 'parts'>) {
  return (
    <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-2 text-sm">
      {parts.map(({ feature, credits }, index) => (
        <li key={feature} className="flex items-center gap-2">
          <Swatch index={index} />
          <span className="text-ink-2">{partName(feature)}</span>
          <span className="font-[560]">{formatNumber(credits)}</span>
        </li>
      ))}
    </ul>
  )
}

export function partName(feature: string): string {
  return feature === restPart ? words.everythingElse : featureName(feature)
}

export function dayName({ day }: SpendingDay): string {
  return formatDayMonth(noonOf(day))
}

/** At noon it is this day wherever the visitor is. */
function noonOf(day: string): Date {
  return new Date(`${day}T12:00`)
}

function Scale({ most }: { most: number }) {
  return Array.from({ length: steps + 1 }, (_, step) => {
    const y = topPx + heightPx - (step / steps) * heightPx
    return (
      <g key={step} aria-hidden="true">
        <line x1={marginPx} x2="100%" y1={y} y2={y} className="stroke-plot-grid" />
        <text x={marginPx - 10} y={y + 4} textAnchor="end" className="fill-ink-3 text-xs">
          {formatNumber((most / steps) * step)}
        </text>
      </g>
    )
  })
}

/** A few of the days, the last among them; a phone has room for half of those. */
function DayNames({ days }: Pick<SpendingPlot, 'days'>) {
  const every = Math.ceil(days.length / 5)
  return (
    <div
      aria-hidden="true"
      className="relative h-5 text-xs text-ink-3"
      style={{ marginLeft: marginPx }}
    >
      {days.map(({ day }, place) => {
        const toLast = days.length - 1 - place
        if (toLast % every !== 0) return null
        const isLast = toLast === 0
        return (
          <span
            key={day}
            className={`absolute whitespace-nowrap ${isLast ? '' : '-translate-x-1/2'} ${
              toLast % (2 * every) === 0 ? '' : 'max-sm:hidden'
            }`}
            style={isLast ? { right: 0 } : { left: `${((place + 0.5) / days.length) * 100}%` }}
          >
            {shortDays.format(noonOf(day))}
          </span>
        )
      })}
    </div>
  )
}

function Bar({
  day,
  place,
  count,
  most,
  isPointedAt,
  onPointAt,
}: {
  day: SpendingDay
  place: number
  count: number
  most: number
  isPointedAt: boolean
  onPointAt: () => void
}) {
  const x = (place + 0.14) / count
  return (
    <g>
      {day.credits.map((credits, index) => {
        if (credits === 0) return null
        const height = (credits / most) * heightPx
        const topOfPart = (sumTo(day.credits, index) / most) * heightPx
        return (
          <rect
            key={fills[index]}
            style={{ x: left(x), width: left(0.72 / count) }}
            y={topPx + heightPx - topOfPart}
            height={Math.max(1, height - gapPx)}
            rx={1}
            className={fills[index]}
          />
        )
      })}
      <rect
        aria-hidden="true"
        style={{ x: left(place / count), width: left(1 / count) }}
        y={0}
        height={topPx + heightPx}
        className={isPointedAt ? 'fill-ink opacity-[0.07]' : 'fill-transparent'}
        onPointerEnter={onPointAt}
      />
    </g>
  )
}

/** Of the width beside the scale, which only the browser knows. */
function left(share: number): string {
  return `calc((100% - ${marginPx}px) * ${share})`
}

/** Of the figures up to a place, with its own. */
function sumTo(figures: readonly number[], place: number): number {
  return figures.slice(0, place + 1).reduce((total, figure) => total + figure, 0)
}

/** For who points with a mouse; the same stands in the table. */
function Tip({
  day,
  parts,
  share,
}: Pick<SpendingPlot, 'parts'> & { day: SpendingDay; share: number }) {
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-2 z-10 grid w-max gap-1.5 rounded-mount bg-raised p-3 text-sm shadow-lift"
      style={share > 0.5 ? { right: `${(1 - share) * 100 + 3}%` } : { left: `${share * 100 + 6}%` }}
    >
      <p className="font-[560]">{words.spentOn({ day: dayName(day), count: day.total })}</p>
      {parts.map(
        ({ feature }, index) =>
          (day.credits[index] ?? 0) > 0 && (
            <p key={feature} className="flex items-center gap-2">
              <Swatch index={index} />
              <span className="me-4 text-ink-2">{partName(feature)}</span>
              <span className="ms-auto font-[560]">{formatNumber(day.credits[index] ?? 0)}</span>
            </p>
          ),
      )}
    </div>
  )
}

function Swatch({ index }: { index: number }) {
  return (
    <span
      aria-hidden="true"
      className={`size-2.5 shrink-0 rounded-[2px] forced-color-adjust-none ${grounds[index] ?? ''}`}
    />
  )
}
