/**
 * The preview of a share link, for people who have not opened it yet: where it is posted, on its page
 * before any script, and on other sites that embed it.
 */
import type { Context } from '../../context.ts'
import { Problem } from '../../http/problem.ts'
import type { SessionPreview } from '../sessions/sessions.ts'
import { previewSession } from '../sessions/sessions.ts'
import type { Share } from '../share-links/share-links.ts'
import { ownerNameOf, requireLiveShare } from '../share-links/share-links.ts'
import { cardSourceOf } from './card-source.ts'
import { cardPath } from './link-addresses.ts'

export type LinkPreview = {
  readonly title: string
  readonly description: string
  /** The path of its card, or null if it has no picture for strangers. */
  readonly cardPath: string | null
  /** Null if playing it needs more than the link, or if it is adult as a whole. */
  readonly show: OpenShow | null
}

/** A show that anyone with the link can play: without an account or a password, and nothing adult. */
export type OpenShow = {
  readonly code: string
  readonly title: string
  readonly ownerName: string
  readonly mediaCount: number
  readonly thumbnail: string | null
  readonly slides: SessionPreview['media']
}

/** A link that was stopped or has expired. */
export type EndedLink = { readonly reason: string }

/** Returns null for unknown codes, and for links with a password. */
export async function previewLink(
  ctx: Context,
  code: string,
): Promise<LinkPreview | EndedLink | null> {
  const link = await findLink(ctx, code).catch((error: unknown) => {
    if (error instanceof Problem) return error
    throw error
  })
  if (link instanceof Problem)
    return link.failure.status === 410 ? { reason: `${link.failure.fixed['message']}.` } : null
  if (link === null || link === 'closed') return null
  const { title, mediaCount } = link.preview.session
  const card = cardSourceOf(link.preview.media)
  return {
    title,
    description: `${mediaCount} ${mediaCount === 1 ? 'slide' : 'slides'}`,
    cardPath: card && cardPath(link.share.code, card.id),
    show: await openShowOf(ctx, link),
  }
}

/**
 * Returns the show of a link. Returns null if it has nothing for everyone, and 'closed' if it needs an
 * account or a password. Throws the reason why a link does not work.
 */
export async function findOpenShow(
  ctx: Context,
  code: string,
): Promise<OpenShow | 'closed' | null> {
  const link = await findLink(ctx, code)
  if (link === null || link === 'closed') return link
  return link.share.access === 'members' ? 'closed' : openShowOf(ctx, link)
}

type Link = { readonly share: Share; readonly preview: SessionPreview }

/**
 * Finds a link, or throws the reason why it does not work. Does not read the session of a link with a
 * password. Returns 'closed' for it.
 */
export async function findLink(ctx: Context, code: string): Promise<Link | 'closed' | null> {
  const share = await requireLiveShare(ctx, code)
  if (share.passwordHash !== null) return 'closed'
  const preview = await previewSession(ctx, share)
  return preview && { share, preview }
}

async function openShowOf(ctx: Context, { share, preview }: Link): Promise<OpenShow | null> {
  const { session, media, isAdult } = preview
  if (share.access !== 'anyone' || isAdult) return null
  return {
    code: share.code,
    title: session.title,
    ownerName: await ownerNameOf(ctx, session.userId),
    mediaCount: session.mediaCount,
    thumbnail: session.thumbnail,
    // Leave out slides in the owner's trash.
    slides: media.filter(({ mediaUrl }) => mediaUrl !== null),
  }
}
