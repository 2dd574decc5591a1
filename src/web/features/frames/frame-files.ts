/** What a frame plays, on the device that it hangs on. Loaded once its first pictures are on their way. */
import { answerAddress, framePrefix } from '../../worker/kept-names.ts'
import { filesToKeep, keepFiles, settleFiles } from '../kept/keep-files.ts'
import { slidesOf } from './frame-slides.ts'
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
  const files = filesToKeep(slidesOf(playlist))
  const { stoppedBy } = await keepFiles({ cacheName, files, mostBytes, signal })
  if (!signal.aborted) await settleFiles(cacheName, files)
  return stoppedBy !== 'away'
}
