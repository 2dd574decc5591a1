/** A frame's slides as the stage shows them, and which of their files a screen needs. */
import { ownFilm } from '../kept/kept-sessions.ts'
import type { PlaylistSlide } from '../player/playlist.ts'
import { pictureAddress } from '../player/stage/picture-address.ts'
import type { FramePlaylist, FrameSettings, FrameSlide } from './frames-client.ts'

export function playlistSlideOf(slide: FrameSlide, settings: FrameSettings): PlaylistSlide {
  const { id, mediaUrl, thumbnail, type, durationMs, lengthMs, sizes, focus } = slide
  const endsItself = type === 'video' && durationMs === null
  return {
    id,
    holdMs: durationMs ?? (endsItself ? lengthMs : null) ?? settings.intervalSeconds * 1000,
    endsItself,
    mediaUrl,
    thumbnail,
    type,
    isMoving: type === 'video' || /\.(mp4|webm|gifv|mov)(\?|$)/i.test(mediaUrl),
    caption: slide.caption === '' ? null : slide.caption,
    subfeed: slide.subfeed,
    postUrl: slide.feedPostUrl,
    durationMs,
    sizes,
    focus,
    widthPx: slide.width,
    heightPx: slide.height,
  }
}

/** What a screen of this size loads of them, in their order. */
export function addressesFor(
  { media, settings }: FramePlaylist,
  screen: { readonly widthPx: number; readonly heightPx: number },
): string[] {
  const slides = media.map((slide) => playlistSlideOf(slide, settings))
  return slides.flatMap((slide) =>
    slide.isMoving
      ? ownFilm(slide.mediaUrl)
      : [pictureAddress(slide, { ...screen, isFilling: false })],
  )
}
