/**
 * A visitor in a thread of its own, who asks for one address again and again and remembers the longest
 * wait: what the test's own process does meanwhile is no part of it.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const pauseMs = 20
const patienceMs = 60_000

/** Resolves once a first answer has come; `leave` gives the longest wait since. */
export async function sendVisitor(url: string): Promise<{ leave(): Promise<number> }> {
  const visitor = new Worker(new URL(import.meta.url), { workerData: { url } })
  await once(visitor, 'message')
  return {
    async leave() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      visitor.postMessage('leave')
      const [longestMs] = (await once(visitor, 'message')) as [number]
      await visitor.terminate()
      return longestMs
    },
  }
}

async function visit(url: string, port: NonNullable<typeof parentPort>): Promise<void> {
  const left = new AbortController()
  port.once('message', () => left.abort())
  await ask(url)
  port.postMessage('here')
  let longestMs = 0
  while (!left.signal.aborted) {
    const startedMs = performance.now()
    await ask(url)
    longestMs = Math.max(longestMs, performance.now() - startedMs)
    await sleep(pauseMs)
  }
  port.postMessage(longestMs)
}

/** A refusal is an answer too. */
async function ask(url: string): Promise<void> {
  await fetch(url, { signal: AbortSignal.timeout(patienceMs) }).then(
    (answer) => answer.arrayBuffer(),
    () => null,
  )
}

if (!isMainThread && parentPort && 'url' in workerData) await visit(workerData.url, parentPort)
