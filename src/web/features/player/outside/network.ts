/**
 * Whether the site can be reached. A browser knows when it has no network at all; what it takes for
 * one may lead nowhere, so the site itself is asked.
 */

type Browser = { readonly onLine: boolean }
type Bell = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

export type Network = {
  /** Once it is not reached, it is asked again until it is, and `back` is called. */
  isReached(): Promise<boolean>
  close(): void
}

/** A browser is often online before anything can be reached. */
const askAgainMs = 1500
const patienceMs = 5000

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
  let isAway = false
  let isClosed = false

  async function isReached(): Promise<boolean> {
    const isThere = browser.onLine && (await isAnswered(ask))
    if (isClosed) return isThere
    clearTimeout(timer)
    if (!isThere) timer = setTimeout(() => void isReached(), askAgainMs)
    else if (isAway) back()
    isAway = !isThere
    return isThere
  }

  /** Whatever failed until now may have failed for want of it. */
  function cameOnline(): void {
    isAway = true
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

/** Whatever it answers, it was reached. */
function askSite(): Promise<Response> {
  return fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) })
}
