/**
 * Parses listings from answers of Reddit's API, HTML-escaped or not. Reddit changes its answers without
 * notice, so every field except a post's id may be missing or invalid. Unreadable parts are dropped.
 */
import type { FeedMedia } from '../feed-source.ts'
import { knownMediaType } from '../media-url.ts'
import type { MediaFacts, PostFacts } from '../normalise-media.ts'
import { normaliseMedia } from '../normalise-media.ts'
import type { RedditPost } from './reddit-answers.ts'
import { listings, maxPerGallery, post as postSchema } from './reddit-answers.ts'

export type RedditListing = {
  readonly posts: readonly {
    readonly name: string
    readonly facts: PostFacts
    readonly media: readonly FeedMedia[]
  }[]
  /** Posts without even an id. */
  readonly unreadableCount: number
  readonly after: string | null
}

/** Parses one listing, or the two listings of a single post. Returns null when the answer is neither. */
export function readRedditListing(
  answer: unknown,
  allow: readonly string[] = [],
): RedditListing | null {
  const parsed = listings.safeParse(answer)
  if (!parsed.success) return null
  const things = parsed.data.flatMap(({ data }) => data.children)
  const submitted = things.filter((thing) => thing?.kind === 't3')
  const posts = submitted.flatMap((thing) => {
    const post = postSchema.safeParse(thing?.data).data
    return post ? [{ name: `t3_${post.id}`, ...readPost(post, allow) }] : []
  })
  return {
    posts,
    unreadableCount: submitted.length - posts.length,
    after: parsed.data[0]?.data.after ?? null,
  }
}

function readPost(
  post: RedditPost,
  allow: readonly string[],
): { facts: PostFacts; media: FeedMedia[] } {
  // A crosspost has the original post, with all fields, as the last of its parents.
  const parent = post.crosspost_parent_list?.findLast(
    (parent) => parent !== null && parent !== undefined,
  )
  const facts = factsOf(post, parent)
  if (post.removed_by_category) return { facts, media: [] }
  const found = parent ? findMedia(parent) : []
  const media = found.length > 0 ? found : findMedia(post)
  return { facts, media: media.flatMap((item) => normaliseMedia(facts, item, allow) ?? []) }
}

function factsOf(post: RedditPost, parent: RedditPost | null | undefined): PostFacts {
  const [path] = (post.permalink ?? `/comments/${post.id}/`).split('?')
  return {
    postId: post.id,
    postUrl: `https://www.reddit.com${path}`,
    title: unescapeHtml(post.title ?? ''),
    author: post.author ?? '',
    subfeed: post.subreddit ?? '',
    score: post.score ?? 0,
    commentCount: post.num_comments ?? 0,
    createdAtUnixS: post.created_utc ?? 0,
    nsfw: Boolean(post.over_18 || parent?.over_18),
    spoiler: Boolean(post.spoiler || parent?.spoiler),
  }
}

/** Searches the fields in which Reddit puts media, the most reliable first. */
function findMedia(post: RedditPost): MediaFacts[] {
  const gallery = galleryMedia(post)
  if (gallery.length > 0) return gallery
  const found = hostedVideo(post) ?? linkedFile(post) ?? redgif(post) ?? previewed(post)
  return found ? [{ ...found, thumbnail: thumbnailOf(post) ?? found.thumbnail }] : []
}

function galleryMedia(post: RedditPost): MediaFacts[] {
  const metadata = post.media_metadata ?? {}
  const ordered = post.gallery_data?.items?.flatMap((item) =>
    item && !item.is_deleted ? item.media_id : [],
  )
  // Pictures inside a text are ordered by their keys only.
  return (ordered ?? Object.keys(metadata).slice(0, maxPerGallery)).flatMap((id) => {
    const { status, e: kind, s: source, p: previews } = metadata[id] ?? {}
    const url = source?.u ?? source?.gif ?? source?.mp4
    // Items that are 'failed' or 'unprocessed' have no source. Emotes are not pictures of the post.
    if (status !== 'valid' || !url || id.includes('|')) return []
    const sizes = previews?.map((size) => size && { url: size.u, width: size.x })
    return {
      url,
      type: knownMediaType(url) ?? (kind === 'Image' ? 'image' : null),
      thumbnail: smallPicture(sizes),
      width: source?.x,
      height: source?.y,
    }
  })
}

function hostedVideo(post: RedditPost): MediaFacts | null {
  const video = post.secure_media?.reddit_video ?? post.media?.reddit_video
  if (!video || (video.transcoding_status && video.transcoding_status !== 'completed')) return null
  return { url: video.fallback_url, type: 'video', width: video.width, height: video.height }
}

function linkedFile(post: RedditPost): MediaFacts | null {
  const url = post.url_overridden_by_dest ?? post.url
  const type = url ? knownMediaType(url) : null
  if (!url || !type) return null
  // The preview is a still image of the same file.
  const source = post.preview?.images?.[0]?.source
  return { url, type, width: source?.width, height: source?.height }
}

/** Derives the video URL from the still image's URL: at redgifs both have the same name. */
function redgif(post: RedditPost): MediaFacts | null {
  const still = (post.secure_media ?? post.media)?.oembed?.thumbnail_url ?? ''
  const [, film] =
    /^(https:\/\/[a-z0-9.]*\bredgifs\.com\/[A-Za-z]+)-(?:poster|mobile|large)\.jpg$/.exec(still) ??
    []
  return film === undefined ? null : { url: `${film}.mp4`, type: 'video', thumbnail: still }
}

/** Returns Reddit's copy of a picture or clip of a site that it cannot embed. */
function previewed({ preview }: RedditPost): MediaFacts | null {
  const clip = preview?.reddit_video_preview
  if (clip) return { url: clip.fallback_url, type: 'video', width: clip.width, height: clip.height }
  const image = preview?.images?.[0]
  // Previews without `enabled` only decorate a link to an article.
  if (!preview?.enabled || !image) return null
  const { url, width, height } = image.variants?.gif?.source ?? image.source
  return { url, width, height }
}

function thumbnailOf(post: RedditPost): string | null {
  const small = smallPicture(post.preview?.images?.[0]?.resolutions)
  // A value other than a URL is 'self', 'default', 'image', 'nsfw', 'spoiler' or ''.
  return small ?? (post.thumbnail?.startsWith('http') ? post.thumbnail : null)
}

type Picture = { url: string; width?: number | null | undefined }

/**
 * Returns the narrowest picture that is wide enough for a card, or else the widest. Reddit lists them
 * from the narrowest.
 */
function smallPicture(
  sizes: readonly (Picture | null | undefined)[] | null | undefined,
): string | null {
  const known = (sizes ?? []).filter((size) => size !== null && size !== undefined)
  return (known.find(({ width }) => (width ?? 0) >= 320) ?? known.at(-1))?.url ?? null
}

/** Unescapes the three characters that Reddit escapes without raw_json=1. */
function unescapeHtml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
