/**
 * Whether the site can be reached. A browser knows when it has no network at all; what it takes for
 * one may lead nowhere, so the site itself is asked.
 */
import { askSite } from '../../../network.ts'

type Browser = { readonly onLine: boolean }
type Bell = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

export type Network = {
  /** Once it is not reached, it is asked again until it is, and `back` is called. */
  isReached(): Promise<boolean>
  close(): void
}

/** A browser is often online before anything can be reached: the first times it is asked again soon. */
const firstWaitMs = 500
const longestWaitMs = 15_000

type Changes = {
  /** The browser has no network any more: what is under way may never end. */
  readonly lost: () => void
  readonly back: () => void
}

export function createNetwork(
  { lost, back }: Changes,
  browser: Browser = navigator,
  bell: Bell = globalThis,
  ask: () => Promise<unknown> = askSite,
): Network {
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = firstWaitMs
  let isAway = false
  let isClosed = false

  async function isReached(): Promise<boolean> {
    const isThere = browser.onLine && (await isAnswered(ask))
    if (isClosed) return isThere
    clearTimeout(timer)
    // Not all players at the same moment: a site that was restarted has enough to do.
    if (!isThere) timer = setTimeout(() => void isReached(), waitMs * (0.5 + Math.random() / 2))
    else if (isAway) back()
    waitMs = isThere ? firstWaitMs : Math.min(waitMs * 2, longestWaitMs)
    isAway = !isThere
    return isThere
  }

  /** Whatever failed until now may have failed for want of it. */
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

function isAnswered(ask: () => Promise<unknown>): Promise<boolean> {
  return ask().then(
    () => true,
    () => false,
  )
}
