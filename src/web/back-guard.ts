/**
 * Intercepts the browser's back button, for pages and dialogs that must ask before they close. The router
 * listens to the same event. Listeners run in the order in which they were added, and this one is first.
 */
const guards: (() => boolean)[] = []

/** Called once, before anything is mounted. */
export function watchBack(): void {
  window.addEventListener('popstate', (event) => {
    if (guards.at(-1)?.()) event.stopImmediatePropagation()
  })
}

/**
 * Calls `stop` at every step back; it returns true to stop the step. Only the newest guard is called: a
 * dialog over a page comes before the page. Returns a function that removes the guard.
 */
export function guardBack(stop: () => boolean): () => void {
  guards.push(stop)
  return () => {
    guards.splice(guards.lastIndexOf(stop), 1)
  }
}
