/** Parses statuses from answers of Mastodon and Pixelfed servers. */
import { z } from 'zod'
import type { FeedMedia } from '../feed-source.ts'
import type { MediaFacts, PostFacts } from '../normalise-media.ts'
import { normaliseMedia, unixSeconds } from '../normalise-media.ts'
import { lenient, shortList } from '../reading/lenient-shapes.ts'
import { textOfHtml } from './html-text.ts'

/** A limit of twice the number that is requested. */
const maxStatuses = 80
const maxAttachments = 50

const size = lenient(z.object({ width: lenient(z.number()), height: lenient(z.number()) }))

const attachment = z.object({
  type: lenient(z.string()),
  url: lenient(z.string()),
  remote_url: lenient(z.string()),
  preview_url: lenient(z.string()),
  description: lenient(z.string()),
  meta: lenient(
    z.object({ original: size, focus: lenient(z.object({ x: z.number(), y: z.number() })) }),
  ),
  /** Pixelfed only. */
  is_nsfw: lenient(z.union([z.boolean(), z.number()])),
  license: lenient(z.object({ title: lenient(z.string()), url: lenient(z.string()) })),
})

const status = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  url: lenient(z.string()),
  uri: lenient(z.string()),
  content: lenient(z.string()),
  created_at: lenient(z.string()),
  sensitive: lenient(z.boolean()),
  spoiler_text: lenient(z.string()),
  favourites_count: lenient(z.number()),
  replies_count: lenient(z.number()),
  /** Pixelfed only. */
  reply_count: lenient(z.number()),
  account: lenient(z.object({ acct: lenient(z.string()) })),
  media_attachments: lenient(shortList(maxAttachments)),
})
type Status = z.infer<typeof status>

const boosting = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  reblog: z.unknown().optional(),
})

export type StatusPost = {
  /** The id after which the next page starts. */
  readonly id: string
  readonly media: readonly FeedMedia[]
}

/** Returns null when the answer is not a list of statuses. */
export function readStatuses(answer: unknown, allow: readonly string[] = []): StatusPost[] | null {
  if (!Array.isArray(answer)) return null
  return answer.slice(0, maxStatuses).flatMap((item: unknown) => {
    const outer = boosting.safeParse(item).data
    if (!outer) return []
    // A boost shows the original author's status, with its text and link.
    const read = status.safeParse(outer.reblog ?? item).data
    return { id: outer.id, media: read ? mediaOf(read, allow) : [] }
  })
}

function mediaOf(post: Status, allow: readonly string[]): FeedMedia[] {
  const facts = factsOf(post)
  return (post.media_attachments ?? []).flatMap((item) => {
    const read = attachment.safeParse(item).data
    const media = read && mediaFacts(read)
    return (media && normaliseMedia(facts, media, allow)) ?? []
  })
}

function factsOf(post: Status): PostFacts {
  return {
    postId: post.id,
    postUrl: post.url ?? post.uri ?? '',
    title: textOfHtml(post.content ?? ''),
    author: post.account?.acct ?? '',
    subfeed: '',
    score: post.favourites_count ?? 0,
    commentCount: post.replies_count ?? post.reply_count ?? 0,
    createdAtUnixS: unixSeconds(post.created_at),
    nsfw: post.sensitive === true || (post.spoiler_text ?? '').trim() !== '',
    spoiler: false,
  }
}

function mediaFacts(media: z.infer<typeof attachment>): MediaFacts | null {
  const url = media.url ?? media.remote_url
  const type = typeOf(media.type, url ?? '')
  if (!url || !type) return null
  const { original, focus } = media.meta ?? {}
  const { title, url: licenceUrl } = media.license ?? {}
  return {
    url,
    type,
    thumbnail: media.preview_url,
    width: original?.width,
    height: original?.height,
    alt: media.description,
    focus: focusOf(focus),
    nsfw: Boolean(media.is_nsfw),
    licence: title ? { name: title, url: licenceUrl ?? null } : null,
  }
}

/** Returns the type that the server names: a URL may have no file extension. */
function typeOf(type: string | null | undefined, url: string): FeedMedia['type'] | null {
  if (type === 'gifv' || type === 'video') return 'video'
  if (type !== 'image') return null
  return /\.gif(?:\?|$)/i.test(url) ? 'gif' : 'image'
}

/**
 * Converts Mastodon's coordinates (from the centre, right and up) to ours (from the top left, right and
 * down). The centre is the default, so it counts as not set.
 */
function focusOf(focus: { x: number; y: number } | null | undefined): FeedMedia['focus'] {
  if (!focus || (focus.x === 0 && focus.y === 0)) return null
  return { x: part((focus.x + 1) / 2), y: part((1 - focus.y) / 2) }
}

function part(value: number): number {
  return Math.min(1, Math.max(0, value))
}

/**
 * True when the answer of `GET /api/v2/instance` shows tags without signing in. Servers before 4.5 do not
 * report it, so they count as open.
 */
export function mayReadTags(instance: unknown): boolean {
  const access = z
    .object({
      configuration: z.object({
        timelines_access: z.object({ hashtag_feeds: z.record(z.string(), z.string()) }),
      }),
    })
    .safeParse(instance).data?.configuration.timelines_access.hashtag_feeds
  return access === undefined || Object.values(access).some((who) => who === 'public')
}
