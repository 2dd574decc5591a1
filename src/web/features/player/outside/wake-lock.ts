/**
 * Keeps the screen on while a show runs. The browser takes the lock back whenever the page is
 * hidden, so it is asked for again when the page comes back.
 */

type Lock = Pick<WakeLockSentinel, 'release'>
type Locks = { request(type: 'screen'): Promise<Lock> }
type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>

export type WakeLock = { setOn(isOn: boolean): void; close(): void }

export function createWakeLock(
  locks: Locks | undefined = globalThis.navigator?.wakeLock,
  page: Page = document,
): WakeLock {
  let isWanted = false
  let held: Promise<Lock | null> | null = null

  function hold(): void {
    if (!isWanted || held || !locks || page.visibilityState !== 'visible') return
    // Refused when the battery is low: the show goes on, the screen may not.
    held = locks.request('screen').catch(() => null)
  }

  function letGo(): void {
    void held?.then((lock) => lock?.release()).catch(() => {})
    held = null
  }

  function onVisibility(): void {
    if (page.visibilityState !== 'visible') letGo()
    else hold()
  }

  page.addEventListener('visibilitychange', onVisibility)
  return {
    setOn(isOn) {
      isWanted = isOn
      if (isOn) hold()
      else letGo()
    },
    close() {
      page.removeEventListener('visibilitychange', onVisibility)
      letGo()
    },
  }
}
