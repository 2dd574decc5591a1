/**
 * What a share link shows of itself to whoever has not opened it yet: where it is posted, on its page
 * before any script, and on other sites that embed it.
 */
import type { Context } from '../../context.ts'
import { isAdultTheme, previewSession } from '../sessions/sessions.ts'
import type { Share } from '../share-links/share-links.ts'
import { findShare, grantOfShare, ownerNameOf } from '../share-links/share-links.ts'
import { isHiddenSession } from '../visibility/visibility.ts'

export type LinkPreview = {
  readonly title: string
  readonly description: string
  readonly image: string | null
  /** Null where more than the link is needed to play it, or where it is for adults. */
  readonly show: OpenShow | null
}

type Preview = NonNullable<Awaited<ReturnType<typeof previewSession>>>

/** What plays for anyone who has the link: no account, no password, nothing adult. */
export type OpenShow = {
  readonly code: string
  readonly title: string
  readonly ownerName: string
  readonly mediaCount: number
  readonly thumbnail: string | null
  readonly slides: Preview['media']
}

/** Null for codes that do not exist or have ended, and for those with a password. */
export async function previewLink(ctx: Context, code: string): Promise<LinkPreview | null> {
  const link = await findLink(ctx, code)
  if (link === null || link === 'closed') return null
  const { title, mediaCount, thumbnail } = shownOf(link.share, link.preview).session
  return {
    title,
    description: `${mediaCount} ${mediaCount === 1 ? 'slide' : 'slides'}`,
    image: thumbnail === null ? null : new URL(thumbnail, ctx.config.baseUrl).href,
    show: await openShowOf(ctx, link),
  }
}

/** Null where there is nothing for everyone to see; 'closed' where an account or a password is needed. */
export async function findOpenShow(
  ctx: Context,
  code: string,
): Promise<OpenShow | 'closed' | null> {
  const link = await findLink(ctx, code)
  if (link === null || link === 'closed') return link
  return link.share.access === 'members' ? 'closed' : openShowOf(ctx, link)
}

type Link = { readonly share: Share; readonly preview: Preview }

/** A link that works; of one with a password nothing is looked at. */
async function findLink(ctx: Context, code: string): Promise<Link | 'closed' | null> {
  const share = await findShare(ctx, code.toLowerCase())
  if (!share || (share.expiresAt && share.expiresAt <= ctx.now())) return null
  if (await isHiddenSession(ctx, share.sessionId)) return null
  if (share.passwordHash !== null) return 'closed'
  const preview = await previewSession(ctx, share.sessionId, grantOfShare(share))
  return preview && { share, preview }
}

async function openShowOf(ctx: Context, { share, preview }: Link): Promise<OpenShow | null> {
  const { session, media } = preview
  const isForAdults = session.nsfw || isAdultTheme(session.captionTheme)
  if (share.access !== 'anyone' || isForAdults) return null
  return {
    code: share.code,
    title: session.title,
    ownerName: await ownerNameOf(ctx, session.userId),
    mediaCount: session.mediaCount,
    thumbnail: session.thumbnail,
    // What is in its owner's trash is not played.
    slides: media.filter(({ mediaUrl }) => mediaUrl !== null),
  }
}

/** A link that needs no account shows nothing of a session with an adult theme but its words. */
export function shownOf({ access }: Pick<Share, 'access'>, preview: Preview): Preview {
  if (access === 'members' || !isAdultTheme(preview.session.captionTheme)) return preview
  return { session: { ...preview.session, thumbnail: null }, media: [] }
}
