/** The page of the user's own session: its cover, its slides as they arrive, and its actions. */
import { useParams } from 'wouter'
import { statusOf, translated } from '../../api.ts'
import { NotFoundPage } from '../../not-found-page.tsx'
import { usePageTitle } from '../../page-title.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Aperture, Cover } from '../../ui/mount.tsx'
import { Skeleton, PageWaiting } from '../../ui/skeleton.tsx'
import { Ticks } from '../../ui/ticks.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { CopyProgress } from '../imports/copy-progress.tsx'
import { FillingSheet, SlideSheet } from './contact-sheet.tsx'
import { FillFailed } from './fill-again.tsx'
import { translatedFill } from './fill-words.ts'
import { KeepFresh } from './keep-fresh.tsx'
import { type LiveSession, useLiveSession } from './live-session.ts'
import { isPlayCharged, PlayPrice } from './play-price.tsx'
import { SessionFacts } from './session-facts.tsx'
import { SessionActions } from './session-actions.tsx'
import {
  describeSession,
  isFilling,
  largeCover,
  type OpenedSession,
  type Session,
  useSession,
} from './session-data.ts'
import { SkippedReport } from './skipped-report.tsx'
import { words } from './words.ts'

export function SessionPage() {
  const { id } = useParams<{ id: string }>()
  const opened = useSession(id)
  const status = statusOf(opened.error)
  usePageTitle(opened.data?.session.title ?? words.session)
  if (status === 404 || status === 400 || status === 403) return <NotFoundPage />
  if (opened.isError)
    return <CannotShow error={opened.error} onRetry={() => void opened.refetch()} />
  return opened.data ? <Opened opened={opened.data} /> : <SessionSkeleton />
}

function Opened({ opened }: { opened: OpenedSession }) {
  const { session, media, skipped } = opened
  const { data: user } = useCurrentUser()
  const isOwn = user?.id === session.userId
  // The session does not show whether a publication is running, so the owner of a published session listens.
  const isOnItsWay = isFilling(session) || (isOwn && opened.isCopying)
  const live = useLiveSession(session, isOnItsWay || (isOwn && session.shareToCommunity))
  return (
    <>
      <div className="grid items-center gap-x-8 gap-y-5 sm:grid-cols-[minmax(0,26rem)_1fr]">
        <div className="rounded-mount bg-mount p-2 shadow-mount">
          <Aperture>
            <Picture session={session} media={media} live={live} />
          </Aperture>
        </div>
        <div className="min-w-0">
          <h1 className="show-voice text-[1.75rem] leading-tight font-[500] text-balance break-words sm:text-3xl">
            <bdi>{session.title}</bdi>
          </h1>
          <p className="mt-2 text-ink-2">{stateOf(session, live)}</p>
          <SessionFacts session={session} media={media} />
          {session.subfeeds.length > 0 && (
            <p className="mt-1 text-sm text-ink-3">
              {words.fromSubfeeds({ subfeeds: session.subfeeds.join(', ') })}
            </p>
          )}
          {isOwn && <PartlyFilled session={session} />}
          {isOwn && <LinkHealth session={session} />}
          <SessionActions session={session} isOwn={isOwn} />
          {session.mediaCount > 0 && isPlayCharged(session, isOwn) && <PlayPrice payers="viewer" />}
          {isOwn && <KeepFresh session={session} />}
          <Publication live={live} />
          {live.importing && (
            <div className="mt-4 max-w-[26rem]">
              <CopyProgress {...live.importing} />
            </div>
          )}
        </div>
      </div>
      <div className="mt-8 mb-3 flex items-center justify-between gap-4">
        <h2 className="text-lg font-semibold">{words.slidesHeading}</h2>
        {isOwn && !isFilling(session) && (
          <ButtonLink href={`/sessions/${session.id}/edit`} look="bare">
            {words.editSlides}
          </ButtonLink>
        )}
      </div>
      <Slides session={session} media={media} />
      {skipped.length > 0 && (
        <div className="mt-8">
          <SkippedReport skipped={skipped} />
        </div>
      )}
    </>
  )
}

type Shown = Pick<OpenedSession, 'session' | 'media'>

function Picture({ session, media, live }: Shown & { live: LiveSession }) {
  if (isFilling(session)) return <FillingSheet progress={live.fill} />
  if (session.fillStatus === 'failed' && session.mediaCount === 0)
    return <FillFailed session={session} />
  return <Cover url={largeCover(session.thumbnail, media)} />
}

function Slides({ session, media }: Shown) {
  if (media.length > 0) return <SlideSheet slides={media} playAddress={`/play/${session.id}`} />
  if (isFilling(session)) return <p className="text-ink-3">{words.slidesAppear}</p>
  return (
    <EmptyState headline={words.emptyTray}>
      {session.fillError === null ? words.noPictures : translatedFill(session.fillError)}
    </EmptyState>
  )
}

/** Shows the failed sources of a fill in which others succeeded. */
function PartlyFilled({ session: { fillError, fillStatus } }: { session: Session }) {
  if (fillError === null || fillStatus !== 'ready') return null
  const reasons = translatedFill(fillError)
  return <p className="mt-1 text-sm text-ink-2">{words.partlyFilled({ reasons })}</p>
}

function LinkHealth({ session: { linkHealth } }: { session: Session }) {
  if (linkHealth === null) return null
  const { replacedCount, brokenCount } = linkHealth
  const sentences = [
    replacedCount > 0 && words.replaced({ count: replacedCount }),
    brokenCount > 0 && words.broken({ count: brokenCount }),
  ].filter((sentence) => sentence !== false)
  if (sentences.length === 0) return null
  return <p className="mt-1 text-sm text-ink-2">{sentences.join(' ')}</p>
}

function Publication({ live: { publishing, publishFailure } }: { live: LiveSession }) {
  if (publishFailure !== null)
    return (
      <p className="mt-4 text-sm text-danger">
        {words.publishingFailed({ reason: translated(publishFailure) })}
      </p>
    )
  if (publishing === null) return null
  return (
    <div className="mt-4 grid max-w-[26rem] gap-1.5">
      <Ticks label={words.slidesCopied} done={publishing.done} total={publishing.total} />
      <p className="text-xs text-ink-3">
        {words.publishingSlides({ done: publishing.done, count: publishing.total })}
      </p>
    </div>
  )
}

function stateOf(session: Session, { fill }: LiveSession): string {
  if (session.fillStatus === 'pending') return words.waiting
  if (session.fillStatus === 'filling')
    return fill ? words.fillingSlides({ done: fill.done, count: fill.total }) : words.filling
  return describeSession(session)
}

function SessionSkeleton() {
  return (
    <PageWaiting label={words.loading}>
      <div className="grid items-center gap-x-8 gap-y-5 sm:grid-cols-[minmax(0,26rem)_1fr]">
        <div className="late rounded-mount bg-mount p-2 shadow-mount">
          <Skeleton className="aspect-3/2" />
        </div>
        <div>
          <Skeleton className="h-9 w-2/3" />
          <Skeleton className="mt-3 h-4 w-1/2" />
          <Skeleton className="mt-6 h-11 w-56" />
        </div>
      </div>
      <div className="mt-16 grid grid-cols-3 gap-2 sm:grid-cols-6">
        {Array.from({ length: 12 }, (_, index) => (
          <Skeleton key={index} className="aspect-3/2" />
        ))}
      </div>
    </PageWaiting>
  )
}
