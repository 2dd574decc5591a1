/** Converts the slides of a frame for the stage. */
import { playable, type StagePlaylist } from '../player/playlist.ts'
import type { FramePlaylist } from './frames-client.ts'

export function stagePlaylistOf({ media, settings }: FramePlaylist): StagePlaylist {
  const seconds = settings.intervalSeconds
  const pace = { seed: 'frame', intervalMinS: seconds, intervalMaxS: seconds }
  return { slides: playable(media, pace), pace }
}
