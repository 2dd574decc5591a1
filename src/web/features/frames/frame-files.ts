/** What a frame plays, on the device that it hangs on. Loaded once its first pictures are on their way. */
import { answerAddress, framePrefix } from '../../worker/kept-names.ts'
import { dropOtherFiles, filesToKeep, keepFiles } from '../kept/keep-files.ts'
import { stagePlaylistOf } from './frame-slides.ts'
import type { FramePlaylist } from './frames-client.ts'

const mostBytes = 300 * 1_048_576

/** As much as there is room for; false where more may come later. */
export async function keepFrame(
  token: string,
  playlist: FramePlaylist,
  signal: AbortSignal,
): Promise<boolean> {
  const cacheName = framePrefix + token
  const address = answerAddress(cacheName)
  const cache = await caches.open(cacheName)
  // The worker may be younger than the page, and not have seen what it plays; later it sees all.
  if (!(await cache.match(address))) await cache.put(address, Response.json(playlist))
  const files = filesToKeep(stagePlaylistOf(playlist).slides)
  const { stoppedBy } = await keepFiles({ cacheName, files, mostBytes, signal })
  if (!signal.aborted) await dropOtherFiles(cacheName, files)
  return stoppedBy !== 'away'
}
