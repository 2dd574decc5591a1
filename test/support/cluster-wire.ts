/**
 * The connection to a site whose nodes are killed. It knows which requests were running during a kill. It
 * retries only requests without a new effect (a GET, or a call with an Idempotency-Key), and counts all of
 * them.
 */

export class LostInFlight extends Error {}

type Loss = { readonly what: string; readonly beganMs: number; readonly endedMs: number }

export type Wire = ReturnType<typeof createWire>

const maxTries = 4
/** The sockets of a killed process are reset at once; a proxy and a busy machine take a moment. */
const noticedWithinMs = 5000
const slowFromMs = 15_000

export function createWire() {
  const losses: Loss[] = []
  const slow: string[] = []
  const kills: { readonly fromMs: number; readonly toMs: number }[] = []
  const counts = { requests: 0, retries: 0 }

  /** Returns null when no complete response of the service arrived. */
  async function tryOnce(input: Parameters<typeof fetch>[0], init?: RequestInit) {
    const beganMs = performance.now()
    counts.requests += 1
    const what = `${init?.method ?? 'GET'} ${new URL(addressOf(input)).pathname}`
    const noteTime = (outcome: string) => {
      const ms = performance.now() - beganMs
      if (ms > slowFromMs) slow.push(`${what}: ${outcome} after ${Math.round(ms)} ms`)
    }
    const noteLoss = () => {
      noteTime('lost')
      losses.push({ what, beganMs, endedMs: performance.now() })
    }
    const isGivenUp = () => init?.signal?.aborted ?? false
    try {
      const answer = await fetch(input, init)
      if (answer.headers.get('content-type')?.startsWith('text/event-stream'))
        return followed(answer, (error) => {
          if (isGivenUp()) return error
          noteLoss()
          return new LostInFlight(`${what} broke off`)
        })
      const body = await answer.arrayBuffer()
      const { status, headers } = answer
      noteTime(String(status))
      // The proxy sends HTML when a node did not answer; the service answers in JSON.
      const isOfProxy = status >= 502 && headers.get('content-type')?.startsWith('text/html')
      const isEmpty = status === 204 || status === 304
      if (!isOfProxy) return new Response(isEmpty ? null : body, { status, headers })
    } catch (error) {
      if (isGivenUp()) throw error
    }
    noteLoss()
    return null
  }

  const send: typeof fetch = async (input, init) => {
    const isRepeatable =
      (init?.method ?? 'GET') === 'GET' || new Headers(init?.headers).has('idempotency-key')
    for (let tries = 1; tries <= (isRepeatable ? maxTries : 1); tries += 1) {
      if (tries > 1) counts.retries += 1
      const answer = await tryOnce(input, init)
      if (answer) return answer
    }
    throw new LostInFlight(`${init?.method ?? 'GET'} ${addressOf(input)} got no answer`)
  }

  return {
    send,
    counts,
    losses,
    /** Slow requests, with their outcome. */
    slow,
    /** Records a kill, from before the signal until the process was gone. */
    noteKill: (fromMs: number, toMs: number) => void kills.push({ fromMs, toMs }),
    get kills() {
      return kills.length
    },
    /** Returns the lost requests that were not running during a kill, or failed long after it. */
    unexplained: () =>
      losses.filter(
        ({ beganMs, endedMs }) =>
          !kills.some(
            ({ fromMs, toMs }) =>
              beganMs <= toMs && endedMs >= fromMs && endedMs <= toMs + noticedWithinMs,
          ),
      ),
  }
}

/** Returns the response with a body that reports a failure with another error than fetch does. */
function followed({ body, status, headers }: Response, errorFor: (error: unknown) => unknown) {
  const reader = body?.getReader()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value } = (await reader?.read()) ?? {}
        if (value) controller.enqueue(value)
        else controller.close()
      } catch (error) {
        controller.error(errorFor(error))
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  })
  return new Response(stream, { status, headers })
}

function addressOf(input: Parameters<typeof fetch>[0]): string {
  return input instanceof Request ? input.url : input.toString()
}
