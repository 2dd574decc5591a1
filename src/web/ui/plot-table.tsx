/** The figures of a plot as a table, an alternative to the drawing. */
import { formatPlainDay } from './plain-day.ts'
import type { PlotSeries } from './plot-scale.ts'
import { words } from './plot-words.ts'

export function PlotTable({
  title,
  series,
  days,
  format,
}: {
  title: string
  series: readonly PlotSeries[]
  days: readonly string[]
  format: (value: number) => string
}) {
  return (
    <details className="mt-3 text-sm">
      <summary className="inline-flex min-h-8 cursor-pointer items-center rounded-control text-ink-2 underline underline-offset-4 hover:text-ink">
        {words.figures}
      </summary>
      <div className="overflow-x-auto">
        <table className="mt-1 w-full">
          <caption className="sr-only">{title}</caption>
          <thead className="text-xs text-ink-3">
            <tr>
              <th className="py-1 pe-3 text-start font-[500]">{words.day}</th>
              {series.map(({ label }) => (
                <th key={label} className="py-1 ps-3 text-end font-[500]">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day} className="border-t border-hairline">
                <th scope="row" className="py-1 pe-3 text-start font-normal whitespace-nowrap">
                  {formatPlainDay(day)}
                </th>
                {series.map(({ label, points }) => (
                  <td key={label} className="py-1 ps-3 text-end">
                    {format(points[index]?.value ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
