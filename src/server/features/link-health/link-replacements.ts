/**
 * Replaces a missing picture by another one from the same subfeed that is new to the session and
 * verified to exist. Only pictures that a feed chose are replaced. Pictures that people chose, and
 * slides with a caption, stay and are marked.
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
import type { LinkRequester } from './link-requests.ts'
import { ownerIsAgeVerified } from './queries.ts'

/** Replacements by the id of the slide. */
export type Replacements = ReadonlyMap<number, FeedMedia>

/** A session shows 25 slides, often from one subfeed, so new ones are further down the list. */
const maxListed = 100
const maxRequestsPerSlide = 5

/**
 * Finds replacements, outside a transaction because feeds and sites are slow. After `isOver`, it asks
 * no more. `left` contains the slides that it could not finish.
 */
export async function findReplacements(
  ctx: Context,
  asker: LinkRequester,
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
    // A safe slide gets a safe replacement, so that no shared or public session becomes adult.
    const withNsfw = seesNsfw && slide.nsfw
    const { media } = await gatherMedia(ctx, {
      userId: session.userId,
      subfeeds: [slide.subfeed],
      withNsfw,
      max: maxListed,
    })
    const fresh = await firstThatIsThere(asker, { media, taken, isOver })
    if (fresh) found.set(slide.id, fresh)
    else if (isOver()) left.add(slide.id)
  }
  return { found, left }
}

/** Replaces slides in the transaction that holds the session. Returns the number of replaced slides. */
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
    // Replace the slide, not its picture: a caption that is being written or a view that is being
    // counted must not apply to the new picture. The duration stays.
    await deleteSlide(ctx, { sessionId: session.id, slideId: slide.id })
    const { durationMs } = slide
    await insertSlides(ctx, session.id, [{ ...slideOfMedia(media), durationMs }], slide.order)
    taken.add(normaliseMediaUrl(media.mediaUrl))
    replaced += 1
  }
  return replaced
}

/**
 * False for hidden sessions, which moderators must see unchanged, and for sessions whose fill is not
 * paid: feeds are paid content.
 */
async function mayReplaceIn(ctx: Context, session: SessionView): Promise<boolean> {
  const isFromFeeds = session.subfeeds.length > 0 && !session.isImported
  if (!isFromFeeds || !(await isFillPaid(ctx, session.id))) return false
  return !(await isHiddenSession(ctx, session.id))
}

/**
 * True for feed slides without a caption. Captions are never lost, because a person wrote them or they
 * were paid for.
 */
function mayBeReplaced(
  slide: SlideToCaption,
): slide is SlideToCaption & { readonly subfeed: string } {
  return slide.feedPostId !== null && slide.subfeed !== null && slide.caption === null
}

/**
 * Returns the first item that exists. Items that were asked count as taken, so the next slide continues
 * after them.
 */
async function firstThatIsThere(
  asker: LinkRequester,
  {
    media,
    taken,
    isOver,
  }: { media: readonly FeedMedia[]; taken: Set<string>; isOver: () => boolean },
): Promise<FeedMedia | null> {
  const untaken = media.filter(({ mediaUrl }) => !taken.has(normaliseMediaUrl(mediaUrl)))
  for (const item of untaken.slice(0, maxRequestsPerSlide)) {
    if (isOver()) return null
    taken.add(normaliseMediaUrl(item.mediaUrl))
    if ((await asker.ask(item.mediaUrl)) === 'fine') return item
  }
  return null
}
