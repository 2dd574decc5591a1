/**
 * The playlist: the slides of a session with everything that the player needs, however the session was
 * opened. These functions are pure, so that everyone gets the same playlist for the same session.
 */
import type { client } from '../../api.ts'
import { holdMsOf, type Pace } from './engine/schedule.ts'
import type { ShowSlide } from './engine/show.ts'
import type { TransitionName } from './stage/transitions.ts'

type SessionRead = Awaited<ReturnType<typeof client.sessions.read>>
type SharePreview = Awaited<ReturnType<typeof client.sharing.preview>>
/** The input for a playlist without a full session: from a share link or from the community. */
type Previewed = {
  readonly session: Pick<
    SharePreview['session'],
    'title' | 'transition' | 'intervalMin' | 'intervalMax' | 'mediaCount'
  >
  readonly media: SharePreview['media']
  readonly byline: string
}
type Slide = SessionRead['media'][number]

export type PlaylistSlide = ShowSlide & {
  readonly mediaUrl: string
  readonly thumbnail: string | null
  readonly type: Slide['type']
  /** True when a video element shows the slide. */
  readonly isMoving: boolean
  readonly caption: string | null
  readonly subfeed: string | null
  readonly postUrl: string | null
  readonly alt: string | null
  readonly credit: Slide['credit']
  /** A fixed time, which the pace does not change. */
  readonly durationMs: number | null
  readonly sizes: Slide['sizes']
  readonly focus: Slide['focus']
  readonly widthPx: number | null
  readonly heightPx: number | null
}

export type Playlist = {
  readonly title: string
  /** The feeds of the pictures, or the name of their owner. */
  readonly byline: string
  readonly slides: readonly PlaylistSlide[]
  readonly pace: Pace
  readonly transition: TransitionName
  readonly isByHand: boolean
  /** Null for a preview or a published session: no views are counted and no captions are generated. */
  readonly session: SessionRead['session'] | null
  /** The number of slides after signing in. */
  readonly slidesInAll: number
  /** The share code and password that open the session, as headers. */
  readonly headers: Readonly<Record<string, string>>
  /** The path of the page that opens when the viewer leaves. */
  readonly exit: string
  /** True when the viewer is not signed in. */
  readonly isVisitor: boolean
}

/** The parts of a playlist that a stage uses. */
export type StagePlaylist = Pick<Playlist, 'slides' | 'pace'>

export type Access = Pick<Playlist, 'isVisitor'> & {
  readonly seed: string
  readonly headers: Readonly<Record<string, string>>
  readonly exit: string
}

export function playlistOf({ session, media }: SessionRead, access: Access): Playlist {
  const pace = paceOf(session, access.seed)
  return {
    title: session.title,
    byline: session.subfeeds.join(', '),
    slides: playable(media, pace),
    pace,
    transition: session.transition,
    isByHand: session.isManualMode,
    session,
    slidesInAll: media.length,
    headers: access.headers,
    exit: access.exit,
    isVisitor: access.isVisitor,
  }
}

export function previewPlaylist({ session, media, byline }: Previewed, access: Access): Playlist {
  const pace = paceOf(session, access.seed)
  return {
    title: session.title,
    byline,
    slides: playable(media, pace),
    pace,
    transition: session.transition,
    isByHand: false,
    session: null,
    slidesInAll: session.mediaCount,
    headers: access.headers,
    exit: access.exit,
    isVisitor: access.isVisitor,
  }
}

/** True when the session has a caption theme, an AI prompt or feeds. Other sessions get no captions. */
export function isCaptioned({ session }: Playlist): boolean {
  if (!session) return false
  const hasWish = (session.aiPrompt ?? '').trim() !== ''
  return session.captionTheme !== null || hasWish || session.subfeeds.length > 0
}

export function paceOf(
  session: { readonly intervalMin: number; readonly intervalMax: number },
  seed: string,
): Pace {
  return { seed, intervalMinS: session.intervalMin, intervalMaxS: session.intervalMax }
}

/** Returns the slides that can be played. Slides in the trash of their owner have no address. */
export function playable(media: readonly Slide[], pace: Pace): PlaylistSlide[] {
  return media.flatMap((slide) =>
    slide.mediaUrl === null ? [] : [playlistSlide({ ...slide, mediaUrl: slide.mediaUrl }, pace)],
  )
}

function playlistSlide(slide: Slide & { readonly mediaUrl: string }, pace: Pace): PlaylistSlide {
  const endsItself = slide.type === 'video' && slide.durationMs === null
  const isMoving = slide.type === 'video' || isVideoFile(slide.mediaUrl)
  return {
    id: slide.id,
    holdMs: (endsItself ? slide.lengthMs : null) ?? holdMsOf(slide, pace),
    endsItself,
    mediaUrl: slide.mediaUrl,
    thumbnail: slide.thumbnail,
    type: slide.type,
    isMoving,
    caption: slide.caption === '' ? null : slide.caption,
    subfeed: slide.subfeed,
    postUrl: slide.feedPostUrl,
    alt: slide.alt,
    credit: slide.credit,
    durationMs: slide.durationMs,
    sizes: slide.sizes,
    focus: slide.focus,
    widthPx: slide.width,
    heightPx: slide.height,
  }
}

/** True for the extensions of video files: many feeds call a silent video a GIF. */
function isVideoFile(url: string): boolean {
  return /\.(mp4|webm|gifv|mov)(\?|$)/i.test(url)
}
