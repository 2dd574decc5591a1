/** What the credits of the last thirty days went into: a plot, its legend, and the figures as a table. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client } from '../../api.ts'
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatNumber } from '../../words/figures.ts'
import { plotOf, type SpendingPlot } from './spending-days.ts'
import { Bars, dayName, Legend, partName } from './spending-plot.tsx'
import { words } from './words.ts'

export function SpendingPanel() {
  const spending = useQuery({
    queryKey: ['account', 'spending'],
    queryFn: () => client.credits.spending(),
  })
  const { data } = spending
  const plot = useMemo(() => data && plotOf(data), [data])
  return (
    <Panel
      title={words.spending}
      aside={plot && <span className="text-lg text-ink-2">{formatNumber(plot.total)}</span>}
    >
      <div className="min-h-[19.5rem]">
        {spending.isPending && (
          <Waiting label={words.spendingLoading}>
            <Skeleton className="h-[19.5rem]" />
          </Waiting>
        )}
        {spending.error && (
          <CannotShow error={spending.error} onRetry={() => void spending.refetch()} />
        )}
        {plot?.total === 0 && (
          <div className="grid h-[19.5rem] place-content-center text-center">
            <p className="show-voice text-xl">{words.spendingEmpty}</p>
            <p className="mt-1 text-sm text-ink-2">{words.spendingEmptyReason}</p>
          </div>
        )}
        {plot && plot.total > 0 && (
          <>
            <Bars plot={plot} />
            <Legend parts={plot.parts} />
            <Figures plot={plot} />
          </>
        )}
      </div>
    </Panel>
  )
}

function Figures({ plot: { days, parts } }: { plot: SpendingPlot }) {
  const spentOn = days.filter(({ total }) => total > 0).toReversed()
  return (
    <details className="mt-4 text-sm">
      <summary className="w-max cursor-pointer text-ink-2 hover:text-ink">{words.asTable}</summary>
      {/* It can be reached by the keyboard, as it may have to be scrolled. */}
      <div tabIndex={0} role="group" aria-label={words.asTable} className="mt-2 overflow-x-auto">
        <table className="w-full">
          <thead className="text-xs text-ink-3">
            <tr>
              <th className="py-2 pe-3 text-start font-[500]">{words.day}</th>
              {parts.map(({ feature }) => (
                <th key={feature} className="px-2 py-2 text-end font-[500]">
                  {partName(feature)}
                </th>
              ))}
              <th className="py-2 ps-2 text-end font-[500]">{words.total}</th>
            </tr>
          </thead>
          <tbody>
            {spentOn.map((day) => (
              <tr key={day.day} className="border-t border-hairline">
                <th className="py-2 pe-3 text-start font-[420] whitespace-nowrap">
                  {dayName(day)}
                </th>
                {parts.map(({ feature }, index) => (
                  <td key={feature} className="px-2 py-2 text-end text-ink-2">
                    {formatNumber(day.credits[index] ?? 0)}
                  </td>
                ))}
                <td className="py-2 ps-2 text-end font-[560]">{formatNumber(day.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
