/**
 * Releases items in order, although they arrive out of order. Each item waits until all items before it
 * have arrived or were skipped. An item that arrives after it was skipped is released at once.
 */
export function inOrder<Item>(total: number, release: (items: readonly Item[]) => void) {
  const come = new Map<number, Item>()
  const skipped = new Set<number>()
  let next = 0

  function releaseReady() {
    const ready: Item[] = []
    while (next < total) {
      const item = come.get(next)
      if (item === undefined && !skipped.has(next)) break
      if (item !== undefined) ready.push(item)
      come.delete(next)
      next += 1
    }
    if (ready.length > 0) release(ready)
  }

  return {
    come(item: Item, index: number) {
      if (index < next) {
        release([item])
        return
      }
      skipped.delete(index)
      come.set(index, item)
      releaseReady()
    },
    skip(index: number) {
      skipped.add(index)
      releaseReady()
    },
  }
}
