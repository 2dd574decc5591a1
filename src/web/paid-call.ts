/**
 * A call that costs credits is sent with a key of its own. When no answer comes, the next try
 * carries the same key, so that nothing is paid for twice. One that is pressed again while it runs is
 * the same call.
 */
import { useRef } from 'react'
import { ApiProblem } from '../client/client.ts'
import { codeOf } from './api.ts'

type KeyHeader = { 'idempotency-key': string }

export function usePaidCall(): <T>(call: (headers: KeyHeader) => Promise<T>) => Promise<T> {
  const key = useRef<string | null>(null)
  const running = useRef<Promise<unknown> | null>(null)

  async function send<T>(call: (headers: KeyHeader) => Promise<T>): Promise<T> {
    key.current ??= newIdempotencyKey()
    try {
      const answer = await call({ 'idempotency-key': key.current })
      key.current = null
      return answer
    } catch (error) {
      // An answer has settled this key; what is tried next is a call of its own. The first call may
      // still be running, though: then the next try waits for that one's answer.
      const isRunning = codeOf(error) === 'IDEMPOTENCY_IN_PROGRESS'
      if (error instanceof ApiProblem && !isRunning) key.current = null
      throw error
    }
  }

  return <T>(call: (headers: KeyHeader) => Promise<T>) => {
    running.current ??= send(call).finally(() => (running.current = null))
    // Whoever pays here makes one kind of call.
    return running.current as Promise<T>
  }
}

/** Random enough to be nobody else's. (randomUUID is missing on sites without TLS.) */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
