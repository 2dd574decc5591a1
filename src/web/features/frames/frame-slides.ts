/** A frame's slides as the stage shows them. */
import { playable, type PlaylistSlide } from '../player/playlist.ts'
import type { FramePlaylist } from './frames-client.ts'

export function slidesOf({ media, settings }: FramePlaylist): PlaylistSlide[] {
  const seconds = settings.intervalSeconds
  const pace = { seed: 'frame', intervalMinS: seconds, intervalMaxS: seconds }
  return playable(media, pace)
}
