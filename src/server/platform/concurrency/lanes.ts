/** Works through a list a few at a time: what waits on disks and far sites need not wait in a row. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  laneCount: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failed = new AbortController()
  const waiting = Iterator.from(items)
  const workOn = async () => {
    // Not `for … of`, which would end the list for the other lanes too.
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      if (failed.signal.aborted) return
      await work(next.value).catch((error: unknown) => {
        failed.abort()
        throw error
      })
    }
  }
  // Nothing is still running when it rejects, so that whoever cleans up cleans all of it.
  const lanes = await Promise.allSettled(Array.from({ length: laneCount }, workOn))
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
}
