/**
 * Another picture in the place of one that is gone: from the same subfeed, new to the session, and
 * seen to be there. Only where a feed has chosen the picture; what people chose, and whatever
 * has a caption, stays and is marked.
 */
import type { Context } from '../../context.ts'
import type { FeedMedia } from '../feeds/feeds.ts'
import { gatherMedia, normaliseMediaUrl } from '../feeds/feeds.ts'
import type { SessionView, SlideToCaption } from '../sessions/sessions.ts'
import {
  deleteSlide,
  findSession,
  listSlidesToCaption,
  insertSlides,
  isFillPaid,
  slideOfMedia,
} from '../sessions/sessions.ts'
import { isHiddenSession } from '../visibility/visibility.ts'
import type { LinkAsker } from './link-questions.ts'
import { ownerIsAgeVerified } from './queries.ts'

/** By the id of the slide whose place it may take. */
export type Replacements = ReadonlyMap<number, FeedMedia>

/** A session shows 25 slides, often of one subfeed: what is fresh stands further down. */
const mostListed = 100
const mostAskedForSlide = 5

/**
 * Outside of any transaction, since feeds and sites take their time. Once it `isOver`, no more is
 * asked: those that might have been replaced are `left`.
 */
export async function findReplacements(
  ctx: Context,
  asker: LinkAsker,
  search: { sessionId: number; rotten: ReadonlySet<number>; isOver: () => boolean },
): Promise<{ found: Replacements; left: ReadonlySet<number> }> {
  const { sessionId, rotten, isOver } = search
  const found = new Map<number, FeedMedia>()
  const left = new Set<number>()
  const session = await findSession(ctx, sessionId)
  if (!session || !(await mayReplaceIn(ctx, session))) return { found, left }
  const slides = await listSlidesToCaption(ctx, sessionId)
  const seesNsfw = await ownerIsAgeVerified(ctx, sessionId)
  const taken = new Set(slides.map(({ mediaUrl }) => normaliseMediaUrl(mediaUrl ?? '')))
  for (const slide of slides) {
    if (!rotten.has(slide.id) || !mayBeReplaced(slide)) continue
    if (isOver()) {
      left.add(slide.id)
      continue
    }
    // A safe slide stays a safe one, so that nothing turns adult which is shared or public.
    const withNsfw = seesNsfw && slide.nsfw
    const { media } = await gatherMedia(ctx, {
      userId: session.userId,
      subfeeds: [slide.subfeed],
      withNsfw,
      most: mostListed,
    })
    const fresh = await firstThatIsThere(asker, { media, taken, isOver })
    if (fresh) found.set(slide.id, fresh)
    else if (isOver()) left.add(slide.id)
  }
  return { found, left }
}

/** In the transaction that holds the session. How many of its slides were replaced. */
export async function applyReplacements(
  ctx: Context,
  session: SessionView,
  replacements: Replacements,
): Promise<number> {
  if (replacements.size === 0 || !(await mayReplaceIn(ctx, session))) return 0
  const slides = await listSlidesToCaption(ctx, session.id)
  const taken = new Set(slides.map(({ mediaUrl }) => normaliseMediaUrl(mediaUrl ?? '')))
  let replaced = 0
  for (const slide of slides) {
    const media = replacements.get(slide.id)
    if (!media || !mayBeReplaced(slide) || taken.has(normaliseMediaUrl(media.mediaUrl))) continue
    // Another picture is another slide: a caption that is being written for the old one, or a view
    // that is being counted, must not land on it. How long the place is shown stays.
    await deleteSlide(ctx, { sessionId: session.id, slideId: slide.id })
    const { durationMs } = slide
    await insertSlides(ctx, session.id, [{ ...slideOfMedia(media), durationMs }], slide.order)
    taken.add(normaliseMediaUrl(media.mediaUrl))
    replaced += 1
  }
  return replaced
}

/**
 * What is hidden stays as it is, for whoever has to judge it; and feeds give nothing to a session
 * whose fills are not paid for.
 */
async function mayReplaceIn(ctx: Context, session: SessionView): Promise<boolean> {
  const isFromFeeds = session.subfeeds.length > 0 && !session.isImported
  if (!isFromFeeds || !(await isFillPaid(ctx, session.id))) return false
  return !(await isHiddenSession(ctx, session.id))
}

/** Words are not thrown away, neither a person's nor those that were paid for. */
function mayBeReplaced(
  slide: SlideToCaption,
): slide is SlideToCaption & { readonly subfeed: string } {
  return slide.feedPostId !== null && slide.subfeed !== null && slide.caption === null
}

/** Whatever was looked at counts as taken, so that the next slide goes on from there. */
async function firstThatIsThere(
  asker: LinkAsker,
  {
    media,
    taken,
    isOver,
  }: { media: readonly FeedMedia[]; taken: Set<string>; isOver: () => boolean },
): Promise<FeedMedia | null> {
  const untaken = media.filter(({ mediaUrl }) => !taken.has(normaliseMediaUrl(mediaUrl)))
  for (const item of untaken.slice(0, mostAskedForSlide)) {
    if (isOver()) return null
    taken.add(normaliseMediaUrl(item.mediaUrl))
    if ((await asker.ask(item.mediaUrl)) === 'fine') return item
  }
  return null
}
