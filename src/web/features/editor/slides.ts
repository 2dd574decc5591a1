/**
 * Slides as the editor holds them: the source of each, so that a deleted slide can be sent to the server
 * again, and the body of a save.
 */
import type { client } from '../../api.ts'
import { nameIn } from '../../file-name.ts'
import type { OpenedSession } from '../sessions/session-data.ts'

export type FeedPost = Awaited<ReturnType<typeof client.feeds.search>>[number]
type SentSlide = Parameters<typeof client.sessions.replaceMedia>[0]['body']['slides'][number]
type NewSlide = Parameters<typeof client.sessions.createManual>[0]['body']['slides'][number]

export type SlideSource =
  /** The session had the slide when it was opened. */
  | { readonly kind: 'session' }
  | { readonly kind: 'vault'; readonly mediaId: number }
  | { readonly kind: 'address' }
  | { readonly kind: 'feed'; readonly post: FeedPost }

export type EditedSlide = {
  /** Its key in the editor, the same before and after a save. */
  readonly key: string
  readonly source: SlideSource
  readonly mediaUrl: string
  readonly thumbnail: string | null
  readonly type: 'image' | 'gif' | 'video'
  readonly caption: string
  /** The file name, for sorting. */
  readonly name: string
  /** When the picture was taken or created; null if unknown. */
  readonly takenAtMs: number | null
  /** Null means the session's default. */
  readonly durationMs: number | null
  readonly subfeed: string | null
  readonly postUrl: string | null
}

/** The server's version: the slides as they were last saved or read, and their ids. */
export type Kept = {
  readonly updatedAt: string
  readonly slides: readonly EditedSlide[]
  readonly ids: ReadonlyMap<string, number>
}

export const maxSlides = 500

/** Converts a session that was read. Slides that the editor already knows keep their keys. */
export function keptOf({ session, media }: OpenedSession, known: Kept | null = null): Kept {
  const keys = new Map([...(known?.ids ?? [])].map(([key, id]) => [id, key]))
  const earlier = new Map((known?.slides ?? []).map((slide) => [slide.key, slide]))
  const slides = media.map((slide): EditedSlide => {
    const key = keys.get(slide.id) ?? keyOf(slide.id)
    return {
      key,
      source: earlier.get(key)?.source ?? { kind: 'session' },
      // Empty while the file is in the trash: the slide keeps its position and has no picture.
      mediaUrl: slide.mediaUrl ?? '',
      thumbnail: slide.thumbnail,
      type: slide.type,
      caption: slide.caption ?? '',
      durationMs: slide.durationMs,
      name: earlier.get(key)?.name ?? nameIn(slide.mediaUrl ?? ''),
      takenAtMs: earlier.get(key)?.takenAtMs ?? null,
      subfeed: slide.subfeed,
      postUrl: slide.feedPostUrl,
    }
  })
  const ids = new Map(media.map((slide, index) => [slides[index]?.key ?? '', slide.id]))
  return { updatedAt: session.updatedAt, slides, ids }
}

/** Returns the key of a slide that the server had before the editor was opened. */
export function keyOf(id: number): string {
  return `slide-${id}`
}

/** Returns the server's version after a save. The response has the slides in the order of the request. */
export function keptAfterSaving(
  sent: readonly EditedSlide[],
  { session, media }: OpenedSession,
): Kept {
  const ids = new Map(sent.flatMap(({ key }, index) => idAt(media, index).map((id) => [key, id])))
  return { updatedAt: session.updatedAt, slides: sent, ids }
}

/**
 * Returns the whole list for the server. Unchanged captions are omitted, so that a caption written by AI
 * keeps its mark.
 */
export function slidesToSave(slides: readonly EditedSlide[], kept: Kept): SentSlide[] {
  const before = new Map(kept.slides.map((slide) => [slide.key, slide]))
  return slides.map((slide) => {
    const id = kept.ids.get(slide.key)
    const old = before.get(slide.key)
    if (id === undefined || !old) return slideToMake(slide)
    return {
      id,
      ...(old.caption === slide.caption ? {} : { caption: wordsOf(slide) }),
      ...(old.durationMs === slide.durationMs ? {} : { durationMs: slide.durationMs }),
    }
  })
}

export function slideToMake(slide: EditedSlide): NewSlide {
  const words = { caption: wordsOf(slide), durationMs: slide.durationMs }
  if (slide.source.kind === 'vault') return { mediaId: slide.source.mediaId, ...words }
  if (slide.source.kind === 'feed') return { feedPost: slide.source.post, ...words }
  return { mediaUrl: slide.mediaUrl, ...words }
}

/**
 * Returns true when a deleted slide can be sent to the server again. A file that is stored with the session
 * is deleted with its slide, and its address looks like those of our other files. A file in the trash has no
 * address.
 */
export function canComeBack({ source, mediaUrl }: EditedSlide): boolean {
  return source.kind !== 'session' || !(mediaUrl === '' || mediaUrl.startsWith('/media/'))
}

/** Returns the picture that an AI can see: the still of a film or animation, null without one. */
export function stillOf({ type, mediaUrl, thumbnail }: EditedSlide): string | null {
  return type === 'image' ? mediaUrl || null : thumbnail
}

export function isSameList(some: readonly EditedSlide[], others: readonly EditedSlide[]): boolean {
  return (
    some.length === others.length &&
    some.every((slide, index) => {
      const other = others[index]
      return (
        slide.key === other?.key &&
        slide.caption === other.caption &&
        slide.durationMs === other.durationMs
      )
    })
  )
}

function wordsOf({ caption }: EditedSlide): string | null {
  return caption.trim() === '' ? null : caption
}

function idAt(media: OpenedSession['media'], index: number): number[] {
  const slide = media[index]
  return slide ? [slide.id] : []
}
