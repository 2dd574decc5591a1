/**
 * What happens to a session while it is looked at, as the server tells it. A plain EventSource
 * cannot send the headers that open a shared session, so the stream is read by hand.
 */
import { sessionEventsAddress } from './api.ts'

export type SessionEvent = { readonly type: string; readonly data: unknown }

/** By the type of event; the server is trusted to send what such an event has. */
export type EventHandlers = Readonly<Record<string, { handle(data: unknown): void }['handle']>>

/**
 * Tells of every event until the signal; a stream that breaks off is taken up where it stopped.
 * Resolves where it is given up: the session is closed to the caller, or the server away for long.
 */
export async function followSession(
  sessionId: number,
  options: {
    readonly headers?: Readonly<Record<string, string>>
    readonly signal: AbortSignal
    readonly tell: (event: SessionEvent) => void
    /** The stream broke off, or could not be opened. */
    readonly onBreak?: () => void
    readonly fetch?: typeof fetch
    readonly pause?: (ms: number) => Promise<void>
  },
): Promise<void> {
  const { signal, tell } = options
  const get = options.fetch ?? fetch
  const pause = options.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)))
  let lastId = ''
  for (let failures = 0; failures < 5 && !signal.aborted;) {
    try {
      const response = await get(sessionEventsAddress(sessionId), {
        headers: { ...options.headers, ...(lastId === '' ? {} : { 'last-event-id': lastId }) },
        signal,
      })
      if (!response.ok || !response.body) return
      for await (const frame of framesOf(response.body)) {
        failures = 0
        if (frame.id !== '') lastId = frame.id
        if (frame.data !== '') tell({ type: frame.event, data: JSON.parse(frame.data) })
      }
    } catch {
      if (signal.aborted) return
    }
    options.onBreak?.()
    failures += 1
    await pause(1000 * 2 ** failures)
  }
}

/** One event as it stands in a stream; a comment has no data. */
export type Frame = { readonly id: string; readonly event: string; readonly data: string }

export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) yield frameOf(part)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function frameOf(part: string): Frame {
  const fields = new Map(
    part.split('\n').map((line) => {
      const [name = '', ...rest] = line.split(': ')
      return [name, rest.join(': ')]
    }),
  )
  const field = (name: string) => fields.get(name) ?? ''
  return { id: field('id'), event: field('event'), data: field('data') }
}
