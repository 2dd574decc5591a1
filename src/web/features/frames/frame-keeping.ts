/** Has the worker keep what a frame plays, and take in a newer version of the application at night. */
import { useEffect } from 'react'
import { activeWorker, askWorker } from '../../worker/register.ts'
import { addressesFor } from './frame-slides.ts'
import type { FramePlaylist } from './frames-client.ts'

export function useKeptFrame(token: string, playlist: FramePlaylist): void {
  useEffect(() => {
    const screenPx = {
      widthPx: innerWidth * devicePixelRatio,
      heightPx: innerHeight * devicePixelRatio,
    }
    const addresses = addressesFor(playlist, screenPx)
    void activeWorker().then(
      (worker) => worker && askWorker(worker, { ask: 'keep-frame', token, addresses }),
    )
  }, [token, playlist])
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
