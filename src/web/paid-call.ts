/**
 * A call that costs credits is sent with an idempotency key. Where no answer arrives, the next try of
 * the same request carries the same key, so nothing is charged twice; another request has a key of its
 * own. A request that is sent again while it runs is the same call.
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
  // By request, as text: the keys of those that have no answer yet, and those that run.
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
      // An answer has settled the key. The first call may still be running, though: then the next try
      // waits for its answer.
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
    // A component that pays calls one endpoint, so the same request has the same kind of answer.
    return answer as ReturnType<typeof send>
  }
}

/** Random enough to be nobody else's. (randomUUID is missing on sites without TLS.) */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
