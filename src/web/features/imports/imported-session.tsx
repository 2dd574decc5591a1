/** A session that was just imported: the progress of copying its media, and the skipped files. */
import { Play, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { statusOf } from '../../api.ts'
import { NotFoundPage } from '../../not-found-page.tsx'
import { usePageTitle } from '../../page-title.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Aperture } from '../../ui/mount.tsx'
import { DeleteSession } from '../sessions/delete-session.tsx'
import { hasOwnFile } from '../sessions/import-events.ts'
import { type Progress, useLiveSession } from '../sessions/live-session.ts'
import { type OpenedSession, type Session, useSession } from '../sessions/session-data.ts'
import { SkippedReport } from '../sessions/skipped-report.tsx'
import { ArrivingSheet } from './arriving-sheet.tsx'
import { CopyProgress } from './copy-progress.tsx'
import { words } from './words.ts'

export function ImportedSession({ id }: { id: string }) {
  const opened = useSession(id)
  const status = statusOf(opened.error)
  if (status === 404 || status === 400 || status === 403) return <NotFoundPage />
  if (opened.isError)
    return <CannotShow error={opened.error} onRetry={() => void opened.refetch()} />
  return opened.data ? <Outcome opened={opened.data} /> : null
}

function Outcome({ opened }: { opened: OpenedSession }) {
  const { session, media, skipped, isCopying: isRunning } = opened
  const live = useLiveSession(session, isRunning)
  const left = media.filter((slide) => !hasOwnFile(slide)).length
  // Until the first event brings the total.
  const [total] = useState(left)
  const progress = live.importing ?? { done: total - left, total }
  // The button that led here is gone, so the heading takes the focus.
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  usePageTitle(isRunning ? words.pageTitleRunning : words.pageTitleDone)
  return (
    <div className="mx-auto grid w-full max-w-[72rem] gap-8">
      <div className="grid items-center gap-x-8 gap-y-5 sm:grid-cols-[minmax(0,26rem)_1fr]">
        <div className="rounded-mount bg-mount p-2 shadow-mount">
          <Aperture>
            <ArrivingSheet slides={media} />
          </Aperture>
        </div>
        <div className="min-w-0">
          <h1
            ref={heading}
            tabIndex={-1}
            className="show-voice rounded-control text-[1.75rem] leading-tight font-[500] text-balance break-words sm:text-3xl outline-none"
          >
            <bdi>{session.title}</bdi>
          </h1>
          <State isRunning={isRunning} progress={progress} opened={opened} />
          <div className="mt-5 flex flex-wrap items-center gap-2">
            {media.length > 0 || isRunning ? (
              <Ways opened={opened} />
            ) : (
              <WaysOutOfNothing session={session} />
            )}
            <ButtonLink href="/import" look="bare" icon={<Plus size={18} aria-hidden="true" />}>
              {words.importAnother}
            </ButtonLink>
          </div>
        </div>
      </div>
      <SkippedReport skipped={skipped} />
    </div>
  )
}

function Ways({ opened: { session, media, isCopying } }: { opened: OpenedSession }) {
  return (
    <>
      {media.length > 0 && (
        <ButtonLink
          href={`/play/${session.id}`}
          look="lit"
          icon={<Play size={18} aria-hidden="true" fill="currentColor" />}
        >
          {isCopying ? words.playNow : words.play}
        </ButtonLink>
      )}
      <ButtonLink href={`/sessions/${session.id}`}>{words.openSession}</ButtonLink>
    </>
  )
}

/** Actions for an import without any media: delete the empty session or add slides. */
function WaysOutOfNothing({ session }: { session: Session }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const [, navigate] = useLocation()
  return (
    <>
      <Button look="line" onClick={() => setIsDeleting(true)}>
        {words.deleteIt}
      </Button>
      <ButtonLink href={`/sessions/${session.id}/edit`}>{words.addSlides}</ButtonLink>
      {isDeleting && (
        <DeleteSession
          session={session}
          onClose={() => setIsDeleting(false)}
          onDeleted={() => navigate('/import')}
        />
      )}
    </>
  )
}

function State({
  isRunning,
  progress,
  opened: { media, skipped },
}: {
  isRunning: boolean
  progress: Progress
  opened: OpenedSession
}) {
  const outcome = isRunning ? '' : outcomeOf(media.length, skipped.length)
  return (
    <div className="mt-3 grid max-w-[30rem] gap-3">
      {isRunning && (
        <>
          <CopyProgress {...progress} />
          <p className="text-sm text-ink-3">{words.copyingGoesOn}</p>
        </>
      )}
      <output className="text-ink-2 empty:hidden">{outcome}</output>
    </div>
  )
}

function outcomeOf(came: number, leftOut: number): string {
  if (came === 0) return words.nothingCame
  const left = leftOut === 0 ? words.nothingLeftOut : words.thingsLeftOut({ count: leftOut })
  return `${words.slidesCame({ count: came })} ${left}`
}
