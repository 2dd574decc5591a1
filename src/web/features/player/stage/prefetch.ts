/**
 * Files of slides that come later, fetched one after the other and not decoded: on a slow line they are
 * there when their turn comes, and a phone holds their bytes instead of their pixels.
 */

export function createPrefetch() {
  const pictures = new Map<string, HTMLImageElement>()
  const place = document.createElement('div')
  let queue: readonly string[] = []

  function fetchNext(): void {
    const next = queue.find((address) => !pictures.has(address))
    if (next === undefined || [...pictures.values()].some(({ complete }) => !complete)) return
    const picture = new Image()
    picture.fetchPriority = 'low'
    for (const outcome of ['load', 'error']) picture.addEventListener(outcome, fetchNext)
    pictures.set(next, picture)
    place.append(picture)
    picture.src = next
  }

  /** Fetches these files, the first ones first, and no others any more. */
  function want(addresses: readonly string[]): void {
    queue = isSavingData() ? [] : addresses
    for (const [address, picture] of pictures) {
      if (queue.includes(address)) continue
      pictures.delete(address)
      if (!picture.complete) picture.removeAttribute('src')
      // As in slide-frame.ts: Chromium holds a picture until it is taken out of its parent.
      picture.remove()
    }
    fetchNext()
  }

  return { want, close: () => want([]) }
}

/** Not every browser says so. */
function isSavingData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && 'saveData' in connection
    ? connection.saveData === true
    : false
}
