/** The credits spent in the last thirty days, by feature: a plot with its legend and its table. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { formatPlainDay } from '../../ui/plain-day.ts'
import { Plot } from '../../ui/plot.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatNumber } from '../../words/figures.ts'
import { spendingSeries, sum } from './spending-series.ts'
import { words } from './words.ts'

export function SpendingPanel() {
  const spending = useQuery({
    queryKey: keys.account.credits.spending,
    queryFn: () => client.credits.spending(),
  })
  const { data } = spending
  const series = useMemo(() => data && spendingSeries(data), [data])
  const total = data && sum(data.spent)
  return (
    <Panel
      title={words.spending}
      aside={
        total !== undefined && <span className="text-lg text-ink-2">{formatNumber(total)}</span>
      }
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
        {total === 0 && (
          <div className="grid h-[19.5rem] place-content-center text-center">
            <p className="show-voice text-xl">{words.spendingEmpty}</p>
            <p className="mt-1 text-sm text-ink-2">{words.spendingEmptyReason}</p>
          </div>
        )}
        {data && series && total !== undefined && total > 0 && (
          <Plot
            title={words.spendingOf({
              count: total,
              from: formatPlainDay(data.from),
              to: formatPlainDay(data.to),
            })}
            period={words.wholePeriod}
            series={series}
            kind="bars"
          />
        )}
      </div>
    </Panel>
  )
}
