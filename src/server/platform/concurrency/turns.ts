/**
 * Mutual exclusion by key, within this node. Work that contends for one database row waits here. In the
 * database, each waiter would hold a connection that others need.
 */
import { Semaphore } from './semaphore.ts'

export type Turns = {
  /** Runs one task at a time per key. Tasks of one account keep their order, and accounts take turns. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T>
  /**
   * Joins a request to those that wait under the same key. When their turn arrives, they run as one batch.
   * At most `atOnce` batches run at a time (1 by default).
   */
  gather<Request, Result>(
    key: string,
    request: Request,
    runBatch: (requests: readonly Request[]) => Promise<readonly Result[]>,
    options?: { atOnce: number },
  ): Promise<Result>
}

type Batch = { readonly requests: unknown[]; readonly results: Promise<readonly unknown[]> }

/** `open` is the batch that new requests join. */
type Gathering = { readonly semaphore: Semaphore; open: Batch | null }

const maxBatchSize = 256

export function createTurns(): Turns {
  const semaphores = new Map<string, Semaphore>()
  const gatherings = new Map<string, Gathering>()

  return {
    async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
      const semaphore = semaphores.get(key) ?? new Semaphore({ atOnce: 1 })
      semaphores.set(key, semaphore)
      try {
        return await semaphore.run(work)
      } finally {
        if (semaphore.isIdle) semaphores.delete(key)
      }
    },
    async gather<Request, Result>(
      key: string,
      request: Request,
      runBatch: (requests: readonly Request[]) => Promise<readonly Result[]>,
      { atOnce } = { atOnce: 1 },
    ): Promise<Result> {
      const gathering = gatherings.get(key) ?? { semaphore: new Semaphore({ atOnce }), open: null }
      gatherings.set(key, gathering)
      const { semaphore } = gathering
      const begin = (): Batch => {
        const requests: Request[] = []
        // Requests of this tick still join: a semaphore starts nothing before the next tick.
        const results = semaphore.run(async () => {
          if (gathering.open?.requests === requests) gathering.open = null
          return runBatch(requests)
        })
        return {
          requests,
          results: results.finally(() => {
            if (semaphore.isIdle) gatherings.delete(key)
          }),
        }
      }
      if (!gathering.open || gathering.open.requests.length >= maxBatchSize)
        gathering.open = begin()
      const { requests, results } = gathering.open
      const index = requests.push(request) - 1
      return (await results)[index] as Result
    },
  }
}
