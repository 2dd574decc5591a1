/** The overview: totals, the figures of the last days, and the check of the credit ledger. */
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { Link } from 'wouter'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { useHasCredits } from '../../site.ts'
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { PlotKind, PlotSeries } from '../../ui/plot-scale.ts'
import { Plot } from '../../ui/plot.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatDayMonthTime, formatList, formatNumber, formatSize } from '../../words/figures.ts'
import { words } from './words.ts'

type Stats = Awaited<ReturnType<typeof client.admin.stats>>
type Day = Awaited<ReturnType<typeof client.admin.statsByDay>>['days'][number]
type ReportStats = Awaited<ReturnType<typeof client.moderation.reportStats>>

export function OverviewSection() {
  const { data, error, refetch } = useQuery({
    queryKey: keys.admin.part('overview'),
    queryFn: async () => {
      const [stats, reports, { days }] = await Promise.all([
        client.admin.stats(),
        client.moderation.reportStats(),
        client.admin.statsByDay(),
      ])
      return { stats, reports, days }
    },
  })
  if (!data && error) return <CannotShow error={error} onRetry={() => void refetch()} />
  if (!data) return <OverviewSkeleton />
  return (
    <div className="grid gap-4">
      <Tiles stats={data.stats} reports={data.reports} />
      <Ledger ledger={data.stats.ledger} />
      <Plots days={data.days} />
    </div>
  )
}

function OverviewSkeleton() {
  return (
    <Waiting label={words.figuresLoading}>
      <div className="grid gap-4">
        <Skeleton className="h-64 sm:h-28" />
        <Skeleton className="h-12" />
        <div className="grid gap-4 lg:grid-cols-2">
          <Skeleton className="h-72" />
          <Skeleton className="h-72" />
        </div>
      </div>
    </Waiting>
  )
}

function Tiles({ stats, reports }: { stats: Stats; reports: ReportStats }) {
  const hasCredits = useHasCredits()
  const { users, sessions, storage, credits, jobs } = stats
  const since = reports.oldestOpenAt
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
      <Tile
        label={words.people}
        figure={formatNumber(users.total)}
        note={words.peopleNote({ active: users.active, fresh: users.newInDays })}
        href="/admin/users"
      />
      <Tile
        label={words.openReports}
        figure={formatNumber(reports.open)}
        note={
          since === null
            ? words.noneWaiting
            : words.openReportsNote({ since: formatDayMonthTime(new Date(since)) })
        }
        href="/admin/reports"
      />
      <Tile
        label={words.sessions}
        figure={formatNumber(sessions.total)}
        note={words.sessionsNote({ count: sessions.published })}
      />
      <Tile
        label={words.storage}
        figure={formatSize(storage.bytes)}
        note={words.storageNote({ count: storage.files })}
      />
      {hasCredits && (
        <Tile
          label={words.credits}
          figure={formatNumber(credits.outstanding)}
          note={words.creditsNote}
          href="/admin/pricing"
        />
      )}
      <Tile
        label={words.jobs}
        figure={formatNumber(jobs.waiting)}
        note={words.jobsNote({ running: jobs.running, dead: jobs.deadLetters })}
        href="/admin/jobs"
      />
    </dl>
  )
}

function Tile({
  label,
  figure,
  note,
  href,
}: {
  label: string
  figure: string
  note: string
  href?: string
}) {
  return (
    <div className="flex flex-col gap-1 rounded-mount bg-mount p-4 shadow-mount">
      <dt className="text-sm text-ink-2">
        {href === undefined ? (
          label
        ) : (
          <Link href={href} className="underline underline-offset-4 hover:text-ink">
            {label}
          </Link>
        )}
      </dt>
      <dd className="text-xl font-semibold tracking-[-0.01em]">{figure}</dd>
      <dd className="text-xs text-ink-3">{note}</dd>
    </div>
  )
}

function Ledger({ ledger }: { ledger: Stats['ledger'] }) {
  const { checked, unbalanced } = ledger
  if (unbalanced.length === 0)
    return (
      <p className="flex items-center gap-2 text-sm text-ink-2">
        <CircleCheck size={16} aria-hidden="true" className="shrink-0 text-good" />
        {words.ledgerFine({ count: checked })}
      </p>
    )
  return (
    <p role="alert" className="flex gap-2 rounded-control bg-danger-tint p-3 text-danger">
      <CircleAlert size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
      <span className="min-w-0 break-words">
        {words.ledgerWrong({ count: unbalanced.length })} {formatList(unbalanced)}
      </span>
    </p>
  )
}

type Drawn = {
  readonly title: string
  readonly series: readonly PlotSeries[]
  readonly kind?: PlotKind
  readonly format?: (value: number) => string
  readonly isHidden?: boolean
}

function Plots({ days }: { days: readonly Day[] }) {
  const hasCredits = useHasCredits()
  const period = words.lastDays({ count: days.length })
  const one = (label: string, valueOf: (day: Day) => number) => ({
    label,
    points: days.map((day) => ({ day: day.day, value: valueOf(day) })),
  })
  const plots = words.plots
  const drawn: readonly Drawn[] = [
    { title: plots.people, series: [one(plots.people, (day) => day.people)] },
    { title: plots.sessions, series: [one(plots.sessions, (day) => day.sessions)] },
    {
      title: plots.credits,
      isHidden: !hasCredits,
      kind: 'lines',
      series: [
        one(plots.creditsIn, (day) => day.creditsIn),
        one(plots.creditsOut, (day) => day.creditsOut),
      ],
    },
    {
      title: plots.storage,
      format: formatSize,
      series: [one(plots.storage, (day) => day.storedBytes)],
    },
    {
      title: plots.jobs,
      series: [
        one(plots.jobsDone, (day) => day.jobsDone),
        one(plots.jobsFailed, (day) => day.jobsFailed),
      ],
    },
  ]
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2 3xl:grid-cols-3">
      {drawn
        .filter(({ isHidden }) => !isHidden)
        .map(({ title, series, kind = 'bars', format = formatNumber }) => (
          <Panel key={title} title={title}>
            <Plot title={title} period={period} series={series} kind={kind} format={format} />
          </Panel>
        ))}
    </div>
  )
}
