/** The text and the details of a report. */
import { Panel } from '../../ui/panel.tsx'
import { formatMoment } from '../../words/figures.ts'
import { type Report, reasonNames } from './report-naming.ts'
import { words } from './report-words.ts'

export function ReportFacts({ report }: { report: Report }) {
  const { details, reason, contact, createdAt, evidence } = report
  return (
    <Panel title={words.said}>
      {details === '' ? (
        <p className="text-ink-3">{words.nothingSaid}</p>
      ) : (
        <blockquote className="border-s-2 border-edge ps-3.5 break-words whitespace-pre-wrap text-ink-2">
          {details}
        </blockquote>
      )}
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-2 text-sm break-words">
        <dt className="text-ink-3">{words.reason}</dt>
        <dd>{reasonNames[reason]}</dd>
        <dt className="text-ink-3">{words.reportedAt}</dt>
        <dd>{formatMoment(new Date(createdAt))}</dd>
        <dt className="text-ink-3">{words.contact}</dt>
        <dd>{contact === null ? words.noContact : <bdi>{contact}</bdi>}</dd>
        <dt className="text-ink-3">{words.owner}</dt>
        <dd>
          <bdi>{evidence.ownerName}</bdi>
        </dd>
      </dl>
    </Panel>
  )
}
