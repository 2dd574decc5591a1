/**
 * Parses lists of posts from both versions of Lemmy's API. A post has one link, so at most one picture or
 * video.
 */
import type { FeedMedia } from '../feed-source.ts'
import { knownMediaType, normaliseMediaUrl } from '../media-url.ts'
import type { MediaFacts, PostFacts } from '../normalise-media.ts'
import { normaliseMedia } from '../normalise-media.ts'
import type { LemmyActor, LemmyPostView } from './lemmy-answers.ts'
import { listing as listingSchema, postView } from './lemmy-answers.ts'

export type LemmyListing = {
  /** One entry for each post of the answer, so that cursors can count posts. */
  readonly posts: readonly (FeedMedia | null)[]
  /** The facts of each post; null when it cannot be parsed. */
  readonly facts: readonly (PostFacts | null)[]
  /** The cursor of the next page; null at the end. */
  readonly nextPage: string | null
}

/** Returns null when the answer is not a list of posts. */
export function readLemmyListing(
  answer: unknown,
  allow: readonly string[] = [],
): LemmyListing | null {
  const listing = listingSchema.safeParse(answer).data
  if (!listing?.views) return null
  const views = listing.views.map((view) => postView.safeParse(view).data ?? null)
  return {
    posts: views.map((view) => view && mediaOf(view, allow)),
    facts: views.map((view) => view && factsOf(view)),
    nextPage: listing.nextPage,
  }
}

function mediaOf(view: LemmyPostView, allow: readonly string[]): FeedMedia | null {
  const { post } = view
  const media = post.removed || post.deleted ? null : findMedia(view)
  return media && normaliseMedia(factsOf(view), media, allow)
}

function factsOf({ post, creator, community, counts }: LemmyPostView): PostFacts {
  return {
    postId: String(post.id),
    postUrl: post.ap_id ?? '',
    title: post.name ?? post.title ?? '',
    author: nameOf(creator),
    subfeed: nameOf(community),
    score: post.score ?? counts?.score ?? 0,
    commentCount: post.comments ?? counts?.comments ?? 0,
    createdAtUnixS: unixSeconds(post.published_at ?? post.published ?? ''),
    nsfw: Boolean(post.nsfw || community?.nsfw),
    // Lemmy has spoilers only inside texts.
    spoiler: false,
  }
}

function findMedia({ post, image_details: details }: LemmyPostView): MediaFacts | null {
  const linked = post.url
    ? (typeOfContent(post.url_content_type) ?? knownMediaType(post.url))
    : null
  const thumbnail = post.thumbnail_url
  if (post.url && linked) {
    // The details may describe the thumbnail instead.
    const isOfLink =
      details && normaliseMediaUrl(details.link) === normaliseMediaUrl(post.url) ? details : null
    const { width, height } = isOfLink ?? {}
    return { url: post.url, type: linked, thumbnail, width, height }
  }
  // The video embedded in a linked page. Often this URL is a page too.
  const embedded = post.embed_video_url
  const isVideo = embedded && knownMediaType(embedded) === 'video'
  return isVideo ? { url: embedded, type: 'video', thumbnail } : null
}

function typeOfContent(contentType: string | null | undefined): FeedMedia['type'] | null {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';')
  if (type === 'image/gif') return 'gif'
  if (type === 'video/mp4' || type === 'video/webm') return 'video'
  return /^image\/(?:jpeg|png|webp|avif)$/.test(type) ? 'image' : null
}

/** Returns 'name', or 'name@host' for an actor on another server. */
function nameOf(actor: LemmyActor | null | undefined): string {
  const name = actor?.name ?? ''
  const host = URL.parse(actor?.ap_id ?? actor?.actor_id ?? '')?.host
  return actor?.local === false && host ? `${name}@${host}` : name
}

/** Before 0.19, times have no zone; they are UTC. */
function unixSeconds(time: string): number {
  const stamp = Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(time) ? time : `${time}Z`)
  return Number.isNaN(stamp) ? 0 : stamp / 1000
}
