/**
 * A visitor in another thread who requests one address repeatedly and records the longest wait. The load of
 * the test's own thread does not affect it.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const pauseMs = 20
const patienceMs = 60_000

export type Visitor = {
  /** Returns the longest wait since the previous call. */
  longestWait(): Promise<number>
  leave(): Promise<unknown>
}

/** Resolves after the first response. */
export async function sendVisitor(url: string): Promise<Visitor> {
  const visitor = new Worker(new URL(import.meta.url), { workerData: { url } })
  await once(visitor, 'message')
  return {
    async longestWait() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      visitor.postMessage('how long?')
      const [longestMs] = (await once(visitor, 'message')) as [number]
      return longestMs
    },
    leave: () => visitor.terminate(),
  }
}

async function visit(url: string, port: NonNullable<typeof parentPort>): Promise<never> {
  let isAsked = false
  port.on('message', () => (isAsked = true))
  await ask(url)
  port.postMessage('here')
  let longestMs = 0
  for (;;) {
    const startedMs = performance.now()
    await ask(url)
    longestMs = Math.max(longestMs, performance.now() - startedMs)
    if (isAsked) {
      port.postMessage(longestMs)
      isAsked = false
      longestMs = 0
    }
    await sleep(pauseMs)
  }
}

/** Sends a request. A failure counts as a response too. */
async function ask(url: string): Promise<void> {
  await fetch(url, { signal: AbortSignal.timeout(patienceMs) }).then(
    (answer) => answer.arrayBuffer(),
    () => null,
  )
}

if (!isMainThread && parentPort && 'url' in workerData) await visit(workerData.url, parentPort)
