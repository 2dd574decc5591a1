/** Stores the files that a frame plays on its device. Loaded after the first pictures. */
import { dropFilesExcept } from '../../worker/kept-files.ts'
import { answerAddress, framePrefix } from '../../worker/kept-names.ts'
import { filesToKeep, keepFiles } from '../kept/keep-files.ts'
import { stagePlaylistOf } from './frame-slides.ts'
import type { FramePlaylist } from './frames-client.ts'

const maxBytes = 300 * 1_048_576

/** Stores as many files as fit. Returns false when the network failed and a retry may store more. */
export async function keepFrame(
  token: string,
  playlist: FramePlaylist,
  signal: AbortSignal,
): Promise<boolean> {
  const cacheName = framePrefix + token
  const address = answerAddress(cacheName)
  const cache = await caches.open(cacheName)
  // The worker may have started after the page loaded its playlist. It stores later responses itself.
  if (!(await cache.match(address))) await cache.put(address, Response.json(playlist))
  const files = filesToKeep(stagePlaylistOf(playlist).slides)
  const { stoppedBy } = await keepFiles({ cacheName, files, maxBytes, signal })
  if (!signal.aborted) await dropFilesExcept(cacheName, files)
  return stoppedBy !== 'away'
}
