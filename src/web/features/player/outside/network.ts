/**
 * Checks if the site can be reached. A browser knows when it has no network. But a network that it
 * reports may have no connection to the site, so this sends a request to the site.
 */
import { askSite } from '../../../network.ts'

type Browser = { readonly onLine: boolean }
type Bell = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

export type Network = {
  /** Checks the site. If it is not reached, retries until it is, and then calls `back`. */
  isReached(): Promise<boolean>
  close(): void
}

/** Short at first: a browser often reports "online" a moment before anything can be reached. */
const firstWaitMs = 500
const longestWaitMs = 15_000

type Changes = {
  /** Called when the browser loses its network: loads in progress may never end. */
  readonly lost: () => void
  readonly back: () => void
}

export function createNetwork(
  { lost, back }: Changes,
  browser: Browser = navigator,
  bell: Bell = globalThis,
  ask: () => Promise<boolean> = askSite,
): Network {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = firstWaitMs
  let isAway = false
  let isClosed = false

  async function isReached(): Promise<boolean> {
    const isThere = browser.onLine && (await ask())
    if (isClosed) return isThere
    clearTimeout(timer)
    // Random jitter: players must not all retry at the same moment after a restart of the site.
    if (!isThere) timer = setTimeout(() => void isReached(), waitMs * (0.5 + Math.random() / 2))
    else if (isAway) back()
    waitMs = isThere ? firstWaitMs : Math.min(waitMs * 2, longestWaitMs)
    isAway = !isThere
    return isThere
  }

  /** Marks the site as not reached, so that `back` is called: earlier loads may have failed offline. */
  function cameOnline(): void {
    isAway = true
    waitMs = firstWaitMs
    void isReached()
  }

  bell.addEventListener('online', cameOnline)
  bell.addEventListener('offline', lost)
  return {
    isReached,
    close() {
      isClosed = true
      clearTimeout(timer)
      bell.removeEventListener('online', cameOnline)
      bell.removeEventListener('offline', lost)
    },
  }
}
