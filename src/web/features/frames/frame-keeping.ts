/** Has the worker keep what a frame plays, and take in a newer version of the application at night. */
import { useEffect } from 'react'
import { answerAddress, framePrefix } from '../../worker/kept-names.ts'
import { askWorker } from '../../worker/register.ts'
import { filesToKeep, keepFiles, settleFiles } from '../kept/keep-files.ts'
import { slidesOf } from './frame-slides.ts'
import type { FramePlaylist } from './frames-client.ts'

const mostBytes = 300 * 1_048_576
/** Where the network was lost in the midst of it. */
const tryAgainMs = 60_000

export function useKeptFrame(token: string, playlist: FramePlaylist): void {
  useEffect(() => {
    if (!('caches' in globalThis) || !navigator.serviceWorker) return
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () =>
      void keepFrame(token, playlist, leaving.signal).then(
        (isDone) => isDone || leaving.signal.aborted || (timer = setTimeout(keep, tryAgainMs)),
        // Without room for any of it, the wall needs its network.
        () => {},
      )
    keep()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [token, playlist])
}

/** As much as there is room for; false where more may come later. */
async function keepFrame(
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

/** While nothing is shown nothing can break: a newer version takes over, and the page with it. */
export function useNightlyUpdate(isResting: boolean): void {
  useEffect(() => {
    if (!isResting || !navigator.serviceWorker) return
    const reload = () => location.reload()
    void takeNewer(reload)
    return () => navigator.serviceWorker.removeEventListener('controllerchange', reload)
  }, [isResting])
}

async function takeNewer(onTaken: () => void): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  await registration?.update().catch(() => {})
  if (!registration?.waiting) return
  navigator.serviceWorker.addEventListener('controllerchange', onTaken, { once: true })
  askWorker(registration.waiting, { ask: 'take-over' })
}
