/** Makes the service worker store the files of a frame, and installs application updates at night. */
import { useEffect } from 'react'
import type { FramePlaylist } from './frames-client.ts'

/** The delay after the network failed. */
const tryAgainMs = 60_000

export function useKeptFrame(token: string, playlist: FramePlaylist): void {
  useEffect(() => {
    if (!('caches' in globalThis) || !navigator.serviceWorker) return
    const leaving = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    async function keep(): Promise<void> {
      const { keepFrame } = await import('./frame-files.ts')
      const isDone = await keepFrame(token, playlist, leaving.signal)
      if (!isDone && !leaving.signal.aborted) timer = setTimeout(keepQuietly, tryAgainMs)
    }
    // If nothing can be stored, the frame needs its network.
    const keepQuietly = () => void keep().catch(() => {})
    keepQuietly()
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [token, playlist])
}

/** Activates a newer worker and reloads the page, which continues with the stored files. */
export function useNightlyUpdate(isTime: boolean): void {
  useEffect(() => {
    if (!isTime || !navigator.serviceWorker) return
    const reload = () => location.reload()
    void takeNewer(reload)
    return () => navigator.serviceWorker.removeEventListener('controllerchange', reload)
  }, [isTime])
}

async function takeNewer(onTaken: () => void): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  await registration?.update().catch(() => {})
  if (registration?.installing) await untilInstalled(registration.installing)
  if (!registration?.waiting) return
  navigator.serviceWorker.addEventListener('controllerchange', onTaken, { once: true })
  const { askWorker } = await import('../../worker/ask-worker.ts')
  askWorker(registration.waiting, { ask: 'take-over' })
}

/** Resolves when the worker is installed or discarded, whichever is its next state. */
function untilInstalled(worker: ServiceWorker): Promise<unknown> {
  return new Promise((resolve) => worker.addEventListener('statechange', resolve, { once: true }))
}
