/** The files that an import skipped, grouped by reason, with a button that copies the list. */
import { Check, ChevronRight, Copy } from 'lucide-react'
import { translated } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { useCopying } from '../../ui/copying.ts'
import { Panel } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { formatNumber } from '../../words/figures.ts'
import type { SkippedMedia } from './import-events.ts'
import { words } from './words.ts'

/** Groups up to this size are expanded; larger ones open on demand. */
const readAtOnce = 8

export function SkippedReport({ skipped }: { skipped: readonly SkippedMedia[] }) {
  const { isCopied, copy } = useCopying()
  const groups = groupByReason(skipped)
  if (skipped.length === 0) return null

  async function copyAll() {
    if (!(await copy(textOf(groups)))) showToast({ text: words.cannotCopy, isFailure: true })
  }

  return (
    <Panel
      title={words.leftOut({ count: skipped.length })}
      aside={
        <Button
          look="bare"
          size="small"
          icon={
            isCopied ? (
              <Check size={16} aria-hidden="true" className="text-good" />
            ) : (
              <Copy size={16} aria-hidden="true" />
            )
          }
          onClick={() => void copyAll()}
        >
          {isCopied ? words.copied : words.copyList}
        </Button>
      }
    >
      <ul className="grid">
        {groups.map(([reason, sources]) => (
          <li key={reason} className="border-t border-hairline">
            <Group reason={reason} sources={sources} isOpen={skipped.length <= readAtOnce} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type Group = readonly [reason: string, sources: readonly string[]]

function Group({
  reason,
  sources,
  isOpen,
}: {
  reason: string
  sources: readonly string[]
  isOpen: boolean
}) {
  return (
    <details open={isOpen} className="group">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-control py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={16}
          aria-hidden="true"
          className="shrink-0 text-ink-3 transition-transform group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:-rotate-90"
        />
        <span className="grow font-[560]">{reason}</span>
        <span className="text-ink-3">{formatNumber(sources.length)}</span>
      </summary>
      <ol className="mb-3 grid max-h-72 gap-1 overflow-y-auto ps-6 text-sm text-ink-2">
        {[...new Set(sources)].map((source) => (
          <li key={source} className="break-all">
            <bdi>
              <Source source={source} />
            </bdi>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Links to the address. */
function Source({ source }: { source: string }) {
  if (!/^https?:\/\//i.test(source)) return source
  return (
    <a
      href={source}
      target="_blank"
      rel="noopener noreferrer"
      className="rounded-aperture hover:underline hover:underline-offset-4"
    >
      {source}
    </a>
  )
}

/** Groups the files by reason, the most frequent first. */
function groupByReason(skipped: readonly SkippedMedia[]): readonly Group[] {
  const groups = Map.groupBy(skipped, ({ reason }) => reason)
  return [...groups]

    .map(([reason, members]): Group => [translated(reason), members.map(({ source }) => source)])
    .toSorted(([, one], [, other]) => other.length - one.length)
}

function textOf(groups: readonly Group[]): string {
  return groups.map(([reason, sources]) => [`${reason}:`, ...sources].join('\n')).join('\n\n')
}
