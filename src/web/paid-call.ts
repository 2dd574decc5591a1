/**
 * Sends a call that costs credits with an idempotency key. If no response arrives, a retry of the same
 * request has the same key, so nothing is charged twice; another request has its own key. A request that is
 * sent again while it runs is the same call.
 */
import { useRef } from 'react'
import { ApiProblem } from '../client/client.ts'
import { codeOf } from './api.ts'

type Keyed<Request> = Request & { readonly headers: { readonly 'idempotency-key': string } }

type PaidCall = <Request extends object, Answer>(
  request: Request,
  send: (request: Keyed<Request>) => Promise<Answer>,
) => Promise<Answer>

export function usePaidCall(): PaidCall {
  // By the request as text: the keys of requests without a response, and the running requests.
  const keys = useRef(new Map<string, string>())
  const running = useRef(new Map<string, Promise<unknown>>())

  async function pay<Request extends object, Answer>(
    request: Request,
    send: (request: Keyed<Request>) => Promise<Answer>,
    text: string,
  ): Promise<Answer> {
    const key = keys.current.get(text) ?? newIdempotencyKey()
    keys.current.set(text, key)
    try {
      const answer = await send({ ...request, headers: { 'idempotency-key': key } })
      keys.current.delete(text)
      return answer
    } catch (error) {
      // A response completes the key, unless the first call is still running. Then the retry waits for its
      // response.
      const isRunning = codeOf(error) === 'IDEMPOTENCY_IN_PROGRESS'
      if (error instanceof ApiProblem && !isRunning) keys.current.delete(text)
      throw error
    } finally {
      running.current.delete(text)
    }
  }

  return (request, send) => {
    const text = JSON.stringify(request)
    const answer = running.current.get(text) ?? pay(request, send, text)
    running.current.set(text, answer)
    // A component that pays calls one endpoint, so the same request has the same type of response.
    return answer as ReturnType<typeof send>
  }
}

/** Returns a random key that no other user can have. (randomUUID is missing on sites without TLS.) */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
