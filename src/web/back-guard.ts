/**
 * The browser's way back, for a page that must ask before it is left. The router listens to the same
 * event, and windows call listeners in the order of their coming: this one comes first.
 */
let isStopped: (() => boolean) | null = null

/** Called once, before anything is mounted. */
export function watchBack() {
  window.addEventListener('popstate', (event) => {
    if (isStopped?.()) event.stopImmediatePropagation()
  })
}

/** `stop` is asked at every step back, and says whether it is stopped. Returns what ends it. */
export function guardBack(stop: () => boolean): () => void {
  isStopped = stop
  return () => {
    isStopped = null
  }
}
