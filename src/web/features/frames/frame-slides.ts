/** A frame's slides as the stage shows them, and which of their files a screen needs. */
import { ownFilm } from '../kept/kept-sessions.ts'
import { playlistSlide, type PlaylistSlide } from '../player/playlist.ts'
import { pictureAddress } from '../player/stage/picture-address.ts'
import type { FramePlaylist } from './frames-client.ts'

export function slidesOf({ media, settings }: FramePlaylist): PlaylistSlide[] {
  const seconds = settings.intervalSeconds
  const pace = { seed: 'frame', intervalMinS: seconds, intervalMaxS: seconds }
  return media.map((slide) => playlistSlide(slide, pace))
}

/** Whose it is, in a line; null where there is nothing to say. */
export function creditOf({ credit }: PlaylistSlide): string | null {
  const parts = [credit?.author, credit?.licence?.name].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}

/** What a screen of this size loads of them, in their order. */
export function addressesFor(
  playlist: FramePlaylist,
  screen: { readonly widthPx: number; readonly heightPx: number },
): string[] {
  return slidesOf(playlist).flatMap((slide) =>
    slide.isMoving
      ? ownFilm(slide.mediaUrl)
      : [pictureAddress(slide, { ...screen, isFilling: false })],
  )
}
