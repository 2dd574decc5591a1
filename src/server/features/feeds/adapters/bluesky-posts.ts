/** Parses the posts and moderation labels in answers of Bluesky's API. */
import { z } from 'zod'
import type { FeedMedia } from '../feed-source.ts'
import type { MediaFacts } from '../normalise-media.ts'
import { normaliseMedia, unixSeconds } from '../normalise-media.ts'
import { lenient, shortList } from '../reading/lenient-shapes.ts'

/** A limit of twice the number that is requested. */
const maxPosts = 100
const maxPictures = 50

const labels = lenient(
  z.array(z.object({ val: z.string(), src: lenient(z.string()), neg: lenient(z.boolean()) })),
)
type Labels = z.infer<typeof labels>

const postView = z.object({
  uri: z.string(),
  author: z.object({ handle: lenient(z.string()), did: lenient(z.string()), labels }),
  record: lenient(
    z.object({
      text: lenient(z.string()),
      createdAt: lenient(z.string()),
      labels: lenient(z.object({ values: lenient(z.array(z.object({ val: z.string() }))) })),
    }),
  ),
  embed: z.unknown().optional(),
  likeCount: lenient(z.number()),
  replyCount: lenient(z.number()),
  labels,
})
type PostView = z.infer<typeof postView>

const picture = z.object({
  fullsize: z.string(),
  thumb: lenient(z.string()),
  /** Set in galleries only. */
  thumbnail: lenient(z.string()),
  alt: lenient(z.string()),
})

const embed = z.object({
  $type: z.string(),
  images: lenient(shortList(maxPictures)),
  items: lenient(shortList(maxPictures)),
  playlist: lenient(z.string()),
  thumbnail: lenient(z.string()),
  alt: lenient(z.string()),
  media: z.unknown().optional(),
})

const entry = z.object({ post: z.unknown().optional() })
const feed = z.object({
  feed: shortList(maxPosts),
  cursor: lenient(z.string()),
})

const adult = new Set(['porn', 'sexual', 'nudity', 'graphic-media', 'gore', 'nsfl', '!warn'])
const hiding = new Set(['!hide', '!takedown', '!suspend'])
const membersOnly = '!no-unauthenticated'

/** Returns a list of media for each post, or null when the answer is not a feed. */
export function readBlueskyFeed(
  answer: unknown,
  allow: readonly string[] = [],
): { posts: FeedMedia[][]; cursor: string | null } | null {
  const parsed = feed.safeParse(answer).data
  if (!parsed) return null
  const posts = parsed.feed.map((item) => readBlueskyPost(entry.safeParse(item).data?.post, allow))
  return { posts, cursor: parsed.cursor ?? null }
}

export function readBlueskyPost(view: unknown, allow: readonly string[] = []): FeedMedia[] {
  const post = postView.safeParse(view).data
  if (!post) return []
  const said = labelsOf(post)
  if (said.has(membersOnly) || said.values().some((label) => hiding.has(label))) return []
  const facts = {
    postId: post.uri.length > 100 ? post.uri.slice(-100) : post.uri,
    postUrl: pageOf(post),
    title: post.record?.text ?? '',
    author: post.author.handle ?? '',
    subfeed: '',
    score: post.likeCount ?? 0,
    commentCount: post.replyCount ?? 0,
    createdAtUnixS: unixSeconds(post.record?.createdAt),
    nsfw: said.values().some((label) => adult.has(label)),
    spoiler: false,
  }
  return mediaOf(post.embed).flatMap((media) => normaliseMedia(facts, media, allow) ?? [])
}

/**
 * Returns the labels of the post and its author, and those that the author set in the record itself.
 * Negated labels are left out.
 */
function labelsOf({ labels, author, record }: PostView): Set<string> {
  const own = record?.labels?.values?.map(({ val }) => val) ?? []
  return new Set([...standing(labels), ...standing(author.labels), ...own])
}

function standing(labels: Labels): string[] {
  const takenBack = new Set(
    (labels ?? []).flatMap(({ val, src, neg }) => (neg ? `${src} ${val}` : [])),
  )
  return (labels ?? []).flatMap(({ val, src }) => (takenBack.has(`${src} ${val}`) ? [] : val))
}

function mediaOf(value: unknown): MediaFacts[] {
  const shown = embed.safeParse(value).data
  if (!shown) return []
  // A quoted post belongs to another author.
  if (shown.$type.startsWith('app.bsky.embed.recordWithMedia')) return mediaOf(shown.media)
  if (shown.playlist && shown.$type.startsWith('app.bsky.embed.video'))
    return [{ url: shown.playlist, type: 'video', thumbnail: shown.thumbnail, alt: shown.alt }]
  // The aspect ratio of an item is only a ratio and need not be in pixels.
  return [...(shown.images ?? []), ...(shown.items ?? [])].flatMap((item) => {
    const image = picture.safeParse(item).data
    if (!image) return []
    const thumbnail = image.thumb ?? image.thumbnail
    return { url: image.fullsize, type: 'image', thumbnail, alt: image.alt }
  })
}

function pageOf({ uri, author }: PostView): string {
  const key = uri.split('/').at(-1) ?? ''
  return `https://bsky.app/profile/${author.handle ?? author.did ?? ''}/post/${key}`
}
