/** A card of the community: a session is a stack of mounts, a picture a single one. */
import { Link } from 'wouter'
import { MediaMark } from '../../ui/media-mark.tsx'
import { ReportButton } from '../moderation/report-button.tsx'
import { countSlides } from '../sessions/session-data.ts'
import type { CommunityItem } from './community-list.ts'
import { SessionMenu } from './session-menu.tsx'
import { words } from './words.ts'

export function CommunityCard({ item }: { item: CommunityItem }) {
  return item.kind === 'session' ? <Deck session={item} /> : <Picture media={item} />
}

function Deck({ session }: { session: Extract<CommunityItem, { kind: 'session' }> }) {
  return (
    <article className="deck">
      <Link
        href={`/community/${session.id}`}
        className="relative z-[1] block rounded-mount bg-mount p-1.5 inset-ring inset-ring-hairline shadow-mount sm:p-2"
      >
        <div className="relative aspect-3/2 overflow-hidden rounded-aperture bg-well">
          {session.thumbnail !== null && (
            <img
              src={session.thumbnail}
              alt=""
              loading="lazy"
              decoding="async"
              className="absolute inset-0 size-full object-cover"
            />
          )}
        </div>
        <div className="pe-9 ps-1 pt-2.5 pb-1">
          <h2 className="show-voice text-md leading-snug font-[500] break-words sm:text-lg">
            <bdi>{session.title}</bdi>
          </h2>
          <p className="mt-0.5 text-xs text-ink-3">
            <bdi>{session.ownerName}</bdi> · {countSlides(session.mediaCount)}
            {session.savedCount > 0 && (
              <span className="max-sm:hidden"> · {words.saved({ count: session.savedCount })}</span>
            )}
          </p>
        </div>
      </Link>
      <div className="absolute end-1 bottom-1 z-[2]">
        <SessionMenu id={session.id} title={session.title} />
      </div>
    </article>
  )
}

/** Shows the whole picture, in its own proportions. */
function Picture({ media }: { media: Extract<CommunityItem, { kind: 'media' }> }) {
  const className = 'h-auto w-full rounded-aperture bg-well'
  const size = media.width > 0 ? { width: media.width, height: media.height } : {}
  return (
    <figure>
      {media.type === 'video' && media.thumbnail === null ? (
        <video src={media.url} controls muted preload="metadata" {...size} className={className} />
      ) : (
        <a
          href={media.url}
          target="_blank"
          rel="noreferrer"
          className="relative block rounded-aperture"
        >
          <img
            src={media.thumbnail ?? media.url}
            alt={describe(media.tags, media.ownerName)}
            loading="lazy"
            decoding="async"
            {...size}
            className={className}
          />
          <MediaMark type={media.type} />
        </a>
      )}
      <figcaption className="flex items-center justify-between gap-2 pt-1 text-xs text-ink-3">
        <bdi>{media.ownerName}</bdi>
        <ReportButton target={{ targetType: 'community_media', targetId: media.id }} />
      </figcaption>
    </figure>
  )
}

function describe(tags: readonly string[], ownerName: string): string {
  return tags.length === 0
    ? words.by({ name: ownerName })
    : words.taggedBy({ tags: tags.join(', '), name: ownerName })
}
