/**
 * Turns by key, within this node. What contends for one row waits here instead of in the database,
 * where each waiter would hold a connection that others need.
 */
import { FairSemaphore } from './fair-semaphore.ts'

export type Turns = {
  /** One at a time under a key: an account's in their order, those of several accounts by turns. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T>
  /**
   * Joins a request to those that wait under the same key; when their turn comes they run as one.
   * `atOnce` such batches may be under way; one, unless told.
   */
  gather<Request, Result>(
    key: string,
    request: Request,
    runBatch: (requests: readonly Request[]) => Promise<readonly Result[]>,
    options?: { atOnce: number },
  ): Promise<Result>
  /** Takes one of the few places under a key; how to give it back, or null where none is left. */
  takePlace(key: string, places: number): (() => void) | null
}

type Batch = {
  readonly requests: unknown[]
  readonly results: PromiseWithResolvers<readonly unknown[]>
  readonly run: (requests: readonly never[]) => Promise<readonly unknown[]>
}

type Gathering = { underWay: number; readonly waiting: Batch[] }

const mostInBatch = 256

export function createTurns(): Turns {
  const lanes = new Map<string, FairSemaphore>()
  const gatherings = new Map<string, Gathering>()
  const placesTaken = new Map<string, number>()

  async function runWaiting(key: string, gathering: Gathering): Promise<void> {
    gathering.underWay += 1
    // Let the requests of this tick join, then close the batch.
    await Promise.resolve()
    for (let batch = gathering.waiting.shift(); batch; batch = gathering.waiting.shift()) {
      const { requests, results, run } = batch
      await run(requests as never[]).then(results.resolve, results.reject)
    }
    gathering.underWay -= 1
    if (gathering.underWay === 0) gatherings.delete(key)
  }

  return {
    async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
      const lane = lanes.get(key) ?? new FairSemaphore({ atOnce: 1 })
      lanes.set(key, lane)
      try {
        return await lane.run(work)
      } finally {
        if (lane.isIdle) lanes.delete(key)
      }
    },
    async gather<Request, Result>(
      key: string,
      request: Request,
      runBatch: (requests: readonly Request[]) => Promise<readonly Result[]>,
      { atOnce } = { atOnce: 1 },
    ): Promise<Result> {
      const gathering = gatherings.get(key) ?? { underWay: 0, waiting: [] }
      gatherings.set(key, gathering)
      let batch = gathering.waiting.at(-1)
      if (!batch || batch.requests.length >= mostInBatch) {
        batch = { requests: [], results: Promise.withResolvers(), run: runBatch }
        gathering.waiting.push(batch)
        if (gathering.underWay < atOnce) void runWaiting(key, gathering)
      }
      const place = batch.requests.push(request) - 1
      return (await batch.results.promise)[place] as Result
    },
    takePlace(key, places) {
      const taken = placesTaken.get(key) ?? 0
      if (taken >= places) return null
      placesTaken.set(key, taken + 1)
      return () => {
        const left = (placesTaken.get(key) ?? 0) - 1
        if (left > 0) placesTaken.set(key, left)
        else placesTaken.delete(key)
      }
    },
  }
}
