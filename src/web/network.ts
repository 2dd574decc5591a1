/**
 * Distinguishes why a request failed: the device has no network, or the site does not answer. Browsers detect
 * only the first, so this sends a request to the site.
 */
import { useEffect, useState, useSyncExternalStore } from 'react'

export type Reach = 'reached' | 'noNetwork' | 'noServer'

const patienceMs = 5000

/** Returns false only if the browser says so: some environments do not know. */
export function hasNetwork(): boolean {
  const isOnline: unknown = Reflect.get(navigator, 'onLine')
  return isOnline !== false
}

export function useHasNetwork(): boolean {
  return useSyncExternalStore(subscribe, hasNetwork)
}

/** Sends a request to the site. Any response, also a failure, means that the site was reached. */
export function askSite(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) }).then(
    () => true,
    () => false,
  )
}

/** Returns null until it is known. */
export function useReach(): Reach | null {
  const isOnline = useHasNetwork()
  const [isAnswered, setIsAnswered] = useState<boolean | null>(null)
  useEffect(() => {
    if (!isOnline) return
    let isWanted = true
    void askSite().then((answered) => isWanted && setIsAnswered(answered))
    return () => {
      isWanted = false
    }
  }, [isOnline])
  if (!isOnline) return 'noNetwork'
  if (isAnswered === null) return null
  return isAnswered ? 'reached' : 'noServer'
}

function subscribe(onChange: () => void) {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}
