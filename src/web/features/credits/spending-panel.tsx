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
  const lines = days.toReversed().flatMap((day) =>
    parts.flatMap(({ feature }, index) => {
      const credits = day.credits[index] ?? 0
      return credits === 0 ? [] : [{ key: `${day.day} ${feature}`, day, feature, credits }]
    }),
  )
  return (
    <details className="mt-4 text-sm">
      <summary className="w-max cursor-pointer text-ink-2 hover:text-ink">{words.asTable}</summary>
      <table className="mt-2 w-full">
        <thead className="text-xs text-ink-3">
          <tr>
            <th className="py-2 pe-3 text-start font-[500]">{words.day}</th>
            <th className="py-2 pe-3 text-start font-[500]">{words.historyColumns.what}</th>
            <th className="py-2 text-end font-[500]">{words.historyColumns.credits}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, day, feature, credits }) => (
            <tr key={key} className="border-t border-hairline">
              <td className="py-2 pe-3 whitespace-nowrap text-ink-2">{dayName(day)}</td>
              <td className="py-2 pe-3">{partName(feature)}</td>
              <td className="py-2 text-end">{formatNumber(credits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
