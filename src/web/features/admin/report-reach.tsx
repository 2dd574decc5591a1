/** Where else the reported content is, and other reports about its owner. */
import { useQuery } from '@tanstack/react-query'
import { client, explainReading } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatNumber } from '../../words/figures.ts'
import { words } from './report-words.ts'

export function ReportReach({ reportId }: { reportId: number }) {
  const { data, error } = useQuery({
    queryKey: keys.admin.part('reach', reportId),
    queryFn: () => client.moderation.reportReach({ params: { id: String(reportId) } }),
  })
  return (
    <>
      <Panel title={words.reach}>
        {error && <p className="text-sm text-ink-2">{explainReading(error)}</p>}
        {!data && !error && (
          <Waiting label={words.reachLoading}>
            <Skeleton className="h-28" />
          </Waiting>
        )}
        {data && (
          <Figures
            figures={[
              [words.shareCodes, data.shareCodes],
              [words.publications, data.publications],
              [words.reachedSessions, data.sessions],
              [words.files, data.files],
            ]}
          />
        )}
      </Panel>
      {data && (
        <Panel title={words.ownerHistory}>
          <Figures
            figures={[
              [words.historyOpen, data.ownerReports.open],
              [words.historyDismissed, data.ownerReports.dismissed],
              [words.historyRemoved, data.ownerReports.removed],
            ]}
          />
        </Panel>
      )}
    </>
  )
}

function Figures({ figures }: { figures: readonly (readonly [string, number])[] }) {
  return (
    <dl className="grid gap-2 text-sm">
      {figures.map(([label, figure]) => (
        <div key={label} className="flex justify-between gap-4">
          <dt className="text-ink-2">{label}</dt>
          <dd>{formatNumber(figure)}</dd>
        </div>
      ))}
    </dl>
  )
}
