/** A frame's slides as the stage shows them. */
import { playable, type PlaylistSlide } from '../player/playlist.ts'
import type { FramePlaylist } from './frames-client.ts'

export function slidesOf({ media, settings }: FramePlaylist): PlaylistSlide[] {
  const seconds = settings.intervalSeconds
  const pace = { seed: 'frame', intervalMinS: seconds, intervalMaxS: seconds }
  return playable(media, pace)
}

/** Whose it is, in a line; null where there is nothing to say. */
export function creditOf({ credit }: PlaylistSlide): string | null {
  const parts = [credit?.author, credit?.licence?.name].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : null
}
