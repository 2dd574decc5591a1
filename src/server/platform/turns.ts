/**
 * Turns by key, within this node. What contends for one row waits here instead of in the database,
 * where each waiter would hold a connection that others need.
 */
export type Turns = {
  /** Runs the work once all earlier work under the same key has ended. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Joins a request to those that wait under the same key; when the turn comes they run as one. */
  gather<Request, Result>(
    key: string,
    request: Request,
    runBatch: (requests: readonly Request[]) => Promise<readonly Result[]>,
  ): Promise<Result>
}

const mostInBatch = 256

export function createTurns(): Turns {
  const lastOf = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, { requests: unknown[]; results: Promise<readonly unknown[]> }>()

  async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = lastOf.get(key)
    const turn = before ? before.then(work, work) : work()
    lastOf.set(key, turn)
    try {
      return await turn
    } finally {
      if (lastOf.get(key) === turn) lastOf.delete(key)
    }
  }

  return {
    inTurn,
    async gather<Request, Result>(
      key: string,
      request: Request,
      runBatch: (requests: readonly Request[]) => Promise<readonly Result[]>,
    ): Promise<Result> {
      let batch = waiting.get(key)
      if (!batch || batch.requests.length >= mostInBatch) {
        const requests: Request[] = []
        const results = inTurn(key, async () => {
          // Let the requests of this tick join, then close the batch.
          await Promise.resolve()
          if (waiting.get(key)?.requests === requests) waiting.delete(key)
          return runBatch(requests)
        })
        batch = { requests, results }
        waiting.set(key, batch)
      }
      const place = batch.requests.push(request) - 1
      return (await batch.results)[place] as Result
    },
  }
}
