/**
 * Keeps the screen on while a show runs. The browser releases the lock when the page is hidden, and may
 * refuse or release it for other reasons, so the request is repeated.
 */

type Lock = Pick<WakeLockSentinel, 'release' | 'addEventListener'>
type Locks = { request(type: 'screen'): Promise<Lock> }
type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>

export type WakeLock = { setOn(isOn: boolean): void; close(): void }

/** The delay before a new request. A common reason for a refusal, a low battery, lasts for a while. */
const retryMs = 60_000

export function createWakeLock(
  locks: Locks | undefined = globalThis.navigator?.wakeLock,
  page: Page = document,
): WakeLock {
  let isWanted = false
  let held: Promise<Lock | null> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function hold(): void {
    if (!isWanted || held || !locks || page.visibilityState !== 'visible') return
    const asked = locks.request('screen').catch(() => null)
    held = asked
    const lose = () => {
      if (held !== asked) return
      held = null
      clearTimeout(timer)
      timer = setTimeout(hold, retryMs)
    }
    void asked.then((lock) => (lock ? lock.addEventListener('release', lose) : lose()))
  }

  function letGo(): void {
    const old = held
    held = null
    clearTimeout(timer)
    void old?.then((lock) => lock?.release()).catch(() => {})
  }

  function onVisibility(): void {
    if (page.visibilityState !== 'visible') letGo()
    else hold()
  }

  page.addEventListener('visibilitychange', onVisibility)
  return {
    setOn(isOn) {
      if (isOn === isWanted) return
      isWanted = isOn
      if (isOn) hold()
      else letGo()
    },
    close() {
      isWanted = false
      page.removeEventListener('visibilitychange', onVisibility)
      letGo()
    },
  }
}
