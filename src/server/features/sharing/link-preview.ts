/** What a share link shows of itself where it is posted: title, count and cover, if nothing is asked for. */
import type { Context } from '../../context.ts'
import { isAdultTheme, previewSession } from '../sessions/sessions.ts'
import type { Share } from '../share-links/share-links.ts'
import { findShare, grantOfShare } from '../share-links/share-links.ts'
import { isHiddenSession } from '../visibility/visibility.ts'

export type LinkPreview = {
  readonly title: string
  readonly description: string
  readonly image: string | null
}

/** Null for other pages, for codes that do not exist or have ended, and for those with a password. */
export async function previewLink(ctx: Context, path: string): Promise<LinkPreview | null> {
  const [, code] = /^\/shared\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(path) ?? []
  const share = code === undefined ? undefined : await findShare(ctx, code.toLowerCase())
  if (!share || share.passwordHash !== null) return null
  if (share.expiresAt && share.expiresAt <= ctx.now()) return null
  if (await isHiddenSession(ctx, share.sessionId)) return null
  const preview = await previewSession(ctx, share.sessionId, grantOfShare(share))
  if (!preview) return null
  const { title, mediaCount, thumbnail } = shownOf(share, preview).session
  return {
    title,
    description: `${mediaCount} ${mediaCount === 1 ? 'slide' : 'slides'}`,
    image: thumbnail === null ? null : new URL(thumbnail, ctx.config.baseUrl).href,
  }
}

type Preview = NonNullable<Awaited<ReturnType<typeof previewSession>>>

/** A link that needs no account shows nothing of a session with an adult theme but its words. */
export function shownOf({ access }: Pick<Share, 'access'>, preview: Preview): Preview {
  if (access === 'members' || !isAdultTheme(preview.session.captionTheme)) return preview
  return { session: { ...preview.session, thumbnail: null }, media: [] }
}
