/** A session in the library: its cover, or the progress of its fill, or why it has no cover. */
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Play, Star } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Aperture, Cover, Mount } from '../../ui/mount.tsx'
import { FillingSheet } from '../sessions/contact-sheet.tsx'
import { DeleteSession } from '../sessions/delete-session.tsx'
import { FillFailed } from '../sessions/fill-again.tsx'
import { useLiveSession, type Progress } from '../sessions/live-session.ts'
import {
  countSlides,
  describeSession,
  isFilling,
  largeCover,
  type Session,
  useFavourite,
  useSession,
} from '../sessions/session-data.ts'
import { words as sessionWords } from '../sessions/words.ts'
import { trashSession } from '../trash/trash-session.ts'
import { words } from './words.ts'

export function SessionCard({
  session,
  isFollowed,
  isFeature,
}: {
  session: Session
  isFollowed: boolean
  isFeature: boolean
}) {
  const { fill } = useLiveSession(session, isFollowed)
  return (
    <Mount isFeature={isFeature}>
      <Aperture isFeature={isFeature}>
        <CardPicture session={session} fill={fill} isFeature={isFeature} />
      </Aperture>
      <div className="flex items-start gap-1 px-1 pt-2 pb-0.5 sm:pt-2.5">
        <div className={`min-w-0 grow ${isFeature ? 'sm:p-1.5' : ''}`}>
          <h2
            className={`show-voice font-[500] ${
              isFeature
                ? 'truncate text-[1.25rem] sm:text-[1.625rem]'
                : 'text-md break-words hyphens-auto max-sm:line-clamp-2 max-sm:leading-tight sm:truncate sm:text-lg'
            }`}
          >
            <Link
              href={`/sessions/${session.id}`}
              className="rounded-aperture hover:underline hover:decoration-edge hover:underline-offset-4"
            >
              <bdi>{session.title}</bdi>
            </Link>
          </h2>
          <p className="mt-0.5 text-xs text-ink-3 sm:truncate">{metaOf(session, fill)}</p>
        </div>
        <CardControls session={session} isFeature={isFeature} />
      </div>
    </Mount>
  )
}

function CardPicture({
  session,
  fill,
  isFeature,
}: {
  session: Session
  fill: Progress | null
  isFeature: boolean
}) {
  // The large card uses the full picture. On a phone no card is that large.
  const isLarge = isFeature && matchMedia('(width >= 45rem)').matches
  const { data: opened } = useSession(String(session.id), { enabled: isLarge })
  if (isFilling(session)) return <FillingSheet progress={fill} />
  if (session.fillStatus === 'failed' && session.mediaCount === 0)
    return <FillFailed session={session} />
  if (session.mediaCount === 0)
    return (
      <Link
        href={`/sessions/${session.id}`}
        aria-label={words.openTitle({ title: session.title })}
        className="absolute inset-0 grid place-content-center rounded-aperture text-xs text-ink-3 focus-visible:-outline-offset-2"
      >
        {words.noSlidesYet}
      </Link>
    )
  return (
    <Link
      href={`/play/${session.id}`}
      aria-label={words.playTitle({ title: session.title })}
      className="absolute inset-0 rounded-aperture focus-visible:-outline-offset-2"
    >
      <Cover url={largeCover(session.thumbnail, opened?.media ?? [])} isFirst={isFeature} />
    </Link>
  )
}

function CardControls({ session, isFeature }: { session: Session; isFeature: boolean }) {
  const [isDeleting, setIsDeleting] = useState(false)
  const queryClient = useQueryClient()
  const moveToTrash = async () => {
    setIsDeleting((await trashSession(queryClient, session)) === 'blocked')
  }
  const switchFavourite = useFavourite(session)
  const favouriteLabel = session.isFavorite ? words.removeFavourite : words.addFavourite
  return (
    <div className={`-me-1 flex shrink-0 items-center ${isFeature ? 'sm:me-1 sm:pt-1.5' : ''}`}>
      <IconButton
        label={words.favouriteTitle({ title: session.title })}
        title={favouriteLabel}
        aria-pressed={session.isFavorite}
        onClick={switchFavourite}
        icon={
          <Star size={18} aria-hidden="true" className={session.isFavorite ? 'fill-lamp' : ''} />
        }
        className={`!size-9 ${session.isFavorite ? '!text-lamp-ink' : ''} ${isFeature ? '' : 'max-sm:!hidden'}`}
      />
      <Menu
        label={words.moreFor({ title: session.title })}
        trigger={<Ellipsis size={18} aria-hidden="true" />}
        triggerClassName="icon-button !size-9"
        entries={[
          { kind: 'link', label: words.open, href: `/sessions/${session.id}` },
          { kind: 'link', label: sessionWords.share, href: `/sessions/${session.id}?share` },
          { kind: 'action', label: favouriteLabel, onSelect: switchFavourite },
          { kind: 'line' },
          {
            kind: 'action',
            label: sessionWords.moveToTrash,
            onSelect: () => void moveToTrash(),
          },
        ]}
      />
      {isFeature && (
        <ButtonLink
          href={`/play/${session.id}`}
          icon={<Play size={18} aria-hidden="true" fill="currentColor" />}
          className="ms-1.5 max-sm:hidden"
        >
          {sessionWords.play}
        </ButtonLink>
      )}
      {isDeleting && <DeleteSession session={session} onClose={() => setIsDeleting(false)} />}
    </div>
  )
}

function metaOf(session: Session, fill: Progress | null): string {
  if (isFilling(session))
    return fill === null || session.fillStatus === 'pending'
      ? sessionWords.waiting
      : sessionWords.fillingSlides({ done: fill.done, count: fill.total })
  if (session.fillStatus === 'failed' && session.mediaCount === 0) return words.noSlidesYet
  if (session.importSource === 'community')
    return `${countSlides(session.mediaCount)} · ${words.savedFromCommunity}`
  return describeSession(session)
}
