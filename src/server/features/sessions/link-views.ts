/**
 * Views of a session by a share link: the first slides for every visitor, all slides for permitted
 * viewers.
 */
import type { Context } from '../../context.ts'
import type { SignedInUser } from '../../http/caller.ts'
import { problem } from '../../http/problem.ts'
import { grantedJson, grantedView } from '../files/files.ts'
import type { Share } from '../share-links/share-links.ts'
import { grantOfShare } from '../share-links/share-links.ts'
import { adultsOnly, isOfAgeFor, maySeeAdult, viewerOf } from '../visibility/visibility.ts'
import type { SessionView, SlideView } from './queries.ts'
import { findJudgedSession, readSessionJson } from './queries.ts'
import { findPreviewSlides } from './slides/slide-queries.ts'

const previewSlides = 3

export type SessionPreview = {
  readonly session: SessionView
  readonly media: readonly SlideView[]
  /** True when the session as a whole is adult. Only age-verified accounts may see it. */
  readonly isAdult: boolean
}

/**
 * Returns the session and its first slides that are not adult. The user matters only if the whole
 * session is adult: then everyone but its owner and age-verified accounts gets its text without
 * pictures.
 */
export async function previewSession(
  ctx: Context,
  share: Share,
  findUser: () => Promise<SignedInUser | null> = async () => null,
): Promise<SessionPreview | null> {
  const found = await findJudgedSession(ctx, share.sessionId)
  if (!found) return null
  const { session, isAdult } = found
  const viewer = viewerOf(isAdult ? await findUser() : null, session.userId)
  const grant = grantOfShare(share, { isForAdults: maySeeAdult(viewer) })
  const shown = isOfAgeFor({ isAdult, ...viewer })
    ? { session, media: await findPreviewSlides(ctx, session.id, previewSlides) }
    : withoutPictures({ session })
  return {
    session: grantedView(ctx, grant, shown.session),
    media: shown.media.map((slide) => grantedView(ctx, grant, slide)),
    isAdult,
  }
}

/** Returns the session with its slides as JSON text. The user is null for a caller without an account. */
export async function openSessionJson(
  ctx: Context,
  user: SignedInUser | null,
  share: Share,
): Promise<string> {
  const reader = user ?? { id: '', ageVerified: false }
  const found = await readSessionJson(ctx, share.sessionId, reader)
  if (!found) throw problem.shareNotFound()
  const viewer = viewerOf(user, found.userId)
  const grant = grantOfShare(share, { isForAdults: maySeeAdult(viewer) })
  if (isOfAgeFor({ isAdult: found.isAdult, ...viewer })) return grantedJson(ctx, grant, found.json)
  if (user) throw adultsOnly()
  const words = withoutPictures(JSON.parse(found.json) as { session: SessionView })
  return grantedJson(ctx, grant, JSON.stringify(words))
}

function withoutPictures<V extends { readonly session: SessionView }>(view: V) {
  return { ...view, session: { ...view.session, thumbnail: null }, media: [] }
}
