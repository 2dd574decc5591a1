/**
 * Prefetches the files of later slides, one after the other, without decoding them. On a slow connection
 * they are then ready in time, and a phone keeps the small files in memory instead of decoded pixels.
 */

export function createPrefetch() {
  const pictures = new Map<string, HTMLImageElement>()
  const holder = document.createElement('div')
  let queue: readonly string[] = []

  function fetchNext(): void {
    const next = queue.find((address) => !pictures.has(address))
    if (next === undefined || [...pictures.values()].some(({ complete }) => !complete)) return
    const picture = new Image()
    picture.fetchPriority = 'low'
    for (const outcome of ['load', 'error']) picture.addEventListener(outcome, fetchNext)
    pictures.set(next, picture)
    holder.append(picture)
    picture.src = next
  }

  /** Fetches these files in this order, and drops all others. */
  function want(addresses: readonly string[]): void {
    queue = isSavingData() ? [] : addresses
    for (const [address, picture] of pictures) {
      if (queue.includes(address)) continue
      pictures.delete(address)
      if (!picture.complete) picture.removeAttribute('src')
      // As in slide-frame.ts: Chromium keeps a picture in memory until it is removed from its parent.
      picture.remove()
    }
    fetchNext()
  }

  return { want, close: () => want([]) }
}

/** True when the browser reports data saving. Not every browser does. */
function isSavingData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && 'saveData' in connection
    ? connection.saveData === true
    : false
}
