/**
 * Slides as the editor holds them: where each comes from, so that one which the server has
 * forgotten can be given to it again, and what is sent when they are saved.
 */
import type { client } from '../../api.ts'
import { nameIn } from '../../file-name.ts'
import type { OpenedSession } from '../sessions/session-data.ts'

export type FeedPost = Awaited<ReturnType<typeof client.feeds.search>>[number]
type SentSlide = Parameters<typeof client.sessions.replaceMedia>[0]['body']['slides'][number]
type NewSlide = Parameters<typeof client.sessions.createManual>[0]['body']['slides'][number]

export type SlideSource =
  /** The session had it when it was opened. */
  | { readonly kind: 'session' }
  | { readonly kind: 'vault'; readonly mediaId: number }
  | { readonly kind: 'address' }
  | { readonly kind: 'feed'; readonly post: FeedPost }

export type EditedSlide = {
  /** Its name in the editor, the same before and after it is saved. */
  readonly key: string
  readonly source: SlideSource
  readonly mediaUrl: string
  readonly thumbnail: string | null
  readonly type: 'image' | 'gif' | 'video'
  readonly caption: string
  /** Of its file, to be sorted by. */
  readonly name: string
  /** When it was taken or made; null where nobody knows any more. */
  readonly takenAtMs: number | null
  /** Null: as long as the session says. */
  readonly durationMs: number | null
  readonly subfeed: string | null
  readonly postUrl: string | null
}

/** What the server has: the slides as they were last saved or read, and the ids it knows them by. */
export type Kept = {
  readonly updatedAt: string
  readonly slides: readonly EditedSlide[]
  readonly ids: ReadonlyMap<string, number>
}

export const mostSlides = 500

/** A session as it was read. Slides that the editor knows already keep their names. */
export function keptOf({ session, media }: OpenedSession, known: Kept | null = null): Kept {
  const keys = new Map([...(known?.ids ?? [])].map(([key, id]) => [id, key]))
  const earlier = new Map((known?.slides ?? []).map((slide) => [slide.key, slide]))
  const slides = media.map((slide): EditedSlide => {
    const key = keys.get(slide.id) ?? keyOf(slide.id)
    return {
      key,
      source: earlier.get(key)?.source ?? { kind: 'session' },
      // Empty while it is in the trash: the slide keeps its place and has no picture.
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

/** What a slide is called that the server had before the editor was opened. */
export function keyOf(id: number): string {
  return `slide-${id}`
}

/** The session after `sent` was saved: the answer has the slides in the order in which they went. */
export function keptAfterSaving(
  sent: readonly EditedSlide[],
  { session, media }: OpenedSession,
): Kept {
  const ids = new Map(sent.flatMap(({ key }, index) => idAt(media, index).map((id) => [key, id])))
  return { updatedAt: session.updatedAt, slides: sent, ids }
}

/** The whole list for the server. What has not changed is left out: AI's words stay AI's. */
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
 * Whether the server can be given the slide again once it has forgotten it. A file that lies with
 * the session goes when its slide does, and its address cannot be told from other files of ours. What
 * is in the trash has no address at all.
 */
export function canComeBack({ source, mediaUrl }: EditedSlide): boolean {
  return source.kind !== 'session' || !(mediaUrl === '' || mediaUrl.startsWith('/media/'))
}

/** What an AI can look at: moving pictures by their still; null where there is none. */
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
