/** The report queue, usable with the keyboard alone: move, look, decide; then the next report is shown. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { IconButton } from '../../ui/button.tsx'
import { Segment } from '../../ui/choice.tsx'
import { AdminList, useAdminList } from './admin-list.tsx'
import { Key } from './key.tsx'
import { Decision, DecisionMade } from './report-decision.tsx'
import { Evidence } from './report-evidence.tsx'
import { ReportFacts } from './report-facts.tsx'
import { type Report, type ReportAction, reasonNames, targetNames } from './report-naming.ts'
import { ReportReach } from './report-reach.tsx'
import { words } from './report-words.ts'
import { useReviewKeys } from './review-keys.ts'

type Status = 'open' | 'decided'

const statuses = [
  { value: 'open', label: words.open },
  { value: 'decided', label: words.decided },
] as const

export function ReportsSection() {
  const [status, setStatus] = useState<Status>('open')
  const list = useAdminList(['reports', status], (page) =>
    client.moderation.listReports({ query: { status, ...page } }),
  )
  const { data: stats } = useQuery({
    queryKey: keys.admin.part('report-stats'),
    queryFn: () => client.moderation.reportStats(),
    staleTime: 5_000,
  })
  const empty =
    status === 'open'
      ? { headline: words.nobody, reason: words.nobodyReason }
      : { headline: words.nothingDecided, reason: words.nothingDecidedReason }
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segment label={words.which} options={statuses} value={status} onChoose={setStatus} />
        {stats && <p className="text-sm text-ink-2">{words.openCount({ count: stats.open })}</p>}
        <KeyHelp />
      </div>
      <AdminList list={list} loading={words.loading} empty={empty}>
        {(reports) => <Review key={status} reports={reports} />}
      </AdminList>
    </>
  )
}

function Review({ reports }: { reports: readonly Report[] }) {
  const queryClient = useQueryClient()
  const [shownId, setShownId] = useState<number | null>(null)
  const [isClear, setIsClear] = useState(false)
  const [chosen, setChosen] = useState<ReportAction | null>(null)
  const index = Math.max(
    0,
    reports.findIndex(({ id }) => id === shownId),
  )
  const report = reports[index]
  const heading = useFocusOnChange(report?.id)

  // Every report starts blurred and undecided.
  const show = (next: Report | undefined) => {
    setShownId(next?.id ?? null)
    setIsClear(false)
    setChosen(null)
  }
  const move = (step: 1 | -1) => {
    const next = reports[index + step]
    if (next) show(next)
  }
  useReviewKeys({
    onMove: move,
    onLook: () => setIsClear((was) => !was),
    onChoose: (action) => report?.action === null && setChosen(action),
  })
  if (!report) return null
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[17rem_minmax(0,1fr)] xl:grid-cols-[19rem_minmax(0,1fr)_21rem]">
      <Queue reports={reports} shown={report} onShow={show} />
      <article className="grid grid-cols-1 gap-4">
        <div className="rounded-mount bg-mount p-2 shadow-mount">
          <Evidence
            key={report.id}
            urls={report.evidence.urls}
            isClear={isClear}
            onSwitch={() => setIsClear(!isClear)}
          />
          <div className="flex items-center gap-2 px-1 pt-3 pb-1">
            <div className="min-w-0 grow">
              <h2
                ref={heading}
                tabIndex={-1}
                className="show-voice text-lg break-words outline-none"
              >
                {report.evidence.title}
              </h2>
              <p className="text-sm text-ink-2">
                {words.by({
                  target: targetNames[report.targetType],
                  owner: report.evidence.ownerName,
                })}
              </p>
            </div>
            <div className="flex lg:hidden">
              <IconButton
                label={words.previous}
                icon={<ChevronLeft size={20} aria-hidden="true" className="rtl:-scale-x-100" />}
                disabled={index === 0}
                onClick={() => move(-1)}
              />
              <IconButton
                label={words.next}
                icon={<ChevronRight size={20} aria-hidden="true" className="rtl:-scale-x-100" />}
                disabled={index === reports.length - 1}
                onClick={() => move(1)}
              />
            </div>
          </div>
        </div>
        <ReportFacts report={report} />
      </article>
      <aside className="grid grid-cols-1 gap-4 lg:col-span-2 xl:col-span-1">
        {report.action === null ? (
          <Decision
            key={report.id}
            report={report}
            chosen={chosen}
            onChoose={setChosen}
            onDecided={() => {
              show(reports[index + 1] ?? reports[index - 1])
              void queryClient.invalidateQueries({ queryKey: keys.admin.all })
            }}
          />
        ) : (
          <DecisionMade report={report} />
        )}
        <ReportReach reportId={report.id} />
      </aside>
    </div>
  )
}

function Queue({
  reports,
  shown,
  onShow,
}: {
  reports: readonly Report[]
  shown: Report
  onShow: (report: Report) => void
}) {
  return (
    <ol aria-label={words.queue} className="hidden gap-0.5 lg:grid">
      {reports.map((report) => (
        <li key={report.id}>
          <button
            type="button"
            aria-current={report === shown ? 'true' : undefined}
            onClick={() => onShow(report)}
            className="grid w-full cursor-pointer gap-0.5 rounded-control border-s-2 border-transparent px-3 py-2.5 text-start hover:bg-mount aria-[current]:border-lamp aria-[current]:bg-press"
          >
            <span className="truncate font-[560]">{report.evidence.title}</span>
            <span className={`text-sm ${report.isHidden ? 'text-danger' : 'text-ink-2'}`}>
              {reasonNames[report.reason]}
              {report.isHidden && ` · ${words.hidden}`}
            </span>
            <span className="truncate text-xs text-ink-2">{targetNames[report.targetType]}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

const keyHelp = [
  { keys: ['J', 'K'], does: words.keys.move },
  { keys: [words.keys.space], does: words.keys.look },
  { keys: ['D', 'R', 'B'], does: words.keys.decide },
]

function KeyHelp() {
  return (
    <ul className="ms-auto hidden flex-wrap gap-x-4 gap-y-1 text-xs text-ink-3 lg:flex">
      {keyHelp.map(({ keys, does }) => (
        <li key={does} className="flex items-center gap-1.5">
          {keys.map((key) => (
            <Key key={key}>{key}</Key>
          ))}
          {does}
        </li>
      ))}
    </ul>
  )
}

/** Focuses the heading after a decision or a move, but not when the page opens. */
function useFocusOnChange(id: number | undefined) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(id)
  useEffect(() => {
    if (shown.current === id) return
    shown.current = id
    heading.current?.focus()
  }, [id])
  return heading
}
