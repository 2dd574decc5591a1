/**
 * A visitor in a thread of its own, who asks for one address again and again and remembers the longest
 * wait: what the test's own process does meanwhile is no part of it.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

const pauseMs = 20
const patienceMs = 60_000

export type Visitor = {
  /** The longest wait since this was last asked. */
  longestWait(): Promise<number>
  leave(): Promise<unknown>
}

/** Resolves once a first answer has come. */
export async function sendVisitor(url: string): Promise<Visitor> {
  const visitor = new Worker(new URL(import.meta.url), { workerData: { url } })
  await once(visitor, 'message')
  return {
    async longestWait() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
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

/** A refusal is an answer too. */
async function ask(url: string): Promise<void> {
  await fetch(url, { signal: AbortSignal.timeout(patienceMs) }).then(
    (answer) => answer.arrayBuffer(),
    () => null,
  )
}

if (!isMainThread && parentPort && 'url' in workerData) await visit(workerData.url, parentPort)
