/** A load generator: keeps connections busy with calls, and measures how long each answer takes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'undici'
import type { Call, TimedRequest } from './benchmark.ts'

export type Load = {
  readonly answers: number
  readonly seconds: number
  readonly p99Ms: number
}

const answerTimeoutMs = 120_000

/**
 * Sends calls on every connection for some seconds. With `perSecond` each call has a planned time, and its
 * latency counts from then, so that a slow answer does not hide the waiting time of the next calls.
 */
export async function putLoad(
  url: string,
  { connections, calls }: Pick<TimedRequest, 'connections' | 'calls'>,
  { seconds, perSecond }: { seconds: number; perSecond: number | undefined },
): Promise<Load> {
  const latenciesMs: number[] = []
  const failure = new AbortController()
  const startedMs = performance.now()
  const endMs = startedMs + seconds * 1000
  const plannedMsOf = (lane: number, turn: number) =>
    perSecond === undefined
      ? performance.now()
      : startedMs + ((turn * connections + lane) * 1000) / perSecond

  async function runLane(lane: number): Promise<void> {
    const client = new Client(url, {
      headersTimeout: answerTimeoutMs,
      bodyTimeout: answerTimeoutMs,
    })
    try {
      for (let turn = 0; !failure.signal.aborted; turn += 1) {
        const plannedMs = plannedMsOf(lane, turn)
        // At least one answer: the smallest load is still a measurement.
        if (turn > 0 && plannedMs >= endMs) return
        const earlyMs = plannedMs - performance.now()
        if (earlyMs > 0) await sleep(earlyMs)
        await send(client, calls[(lane + turn) % calls.length] ?? calls[0])
        latenciesMs.push(performance.now() - plannedMs)
      }
    } catch (error) {
      failure.abort()
      throw error
    } finally {
      await client.close()
    }
  }

  await allOf(Array.from({ length: connections }, (_, lane) => runLane(lane)))
  const sorted = latenciesMs.toSorted((one, other) => one - other)
  return {
    answers: sorted.length,
    seconds: (performance.now() - startedMs) / 1000,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
  }
}

/** Waits for all promises even if one fails: none may still run when the next round starts. */
export async function allOf<Result>(running: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(running)
  return Promise.all(running)
}

/** Sends a call. Throws if the status is not 2xx, because the cost of refusals is not measured. */
async function send(client: Client, { method, path, headers, body }: Call): Promise<void> {
  const answer = await client.request({
    method,
    path,
    headers: { ...headers },
    body: body ?? null,
  })
  const content = await answer.body.arrayBuffer()
  if (answer.statusCode < 200 || answer.statusCode > 299)
    throw new Error(`${method} ${path} is answered with ${answer.statusCode}: ${textOf(content)}`)
}

function textOf(content: ArrayBuffer): string {
  return Buffer.from(content).toString('utf8', 0, 200)
}
