/**
 * An event stream of the service that stays open. After a failure it reconnects from the last event, with
 * delays that grow while the server does not answer. An EventSource cannot send the headers that open a
 * shared session, so this uses fetch.
 */

/** One event of the stream. A comment, which the server sends as a heartbeat, has no data. */
export type StreamedEvent = { readonly id: string; readonly event: string; readonly data: string }

export type StreamOptions = {
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly onOpen?: () => void
  readonly onEvent: (event: StreamedEvent) => void
  /** Called when the stream broke or could not be opened. `wasHeld` is true if it was open for a while. */
  readonly onBreak?: (how: { readonly wasHeld: boolean }) => void
  /** Returns true for a status that ends the stream permanently, because the visitor has no access. */
  readonly isFinal?: (status: number) => boolean
  /** The timeout for the first event. A connection that exceeds it is reopened. */
  readonly answerMs?: number
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
  /** The target of the 'online' event, by default the window. */
  readonly network?: EventTarget
  readonly fetch?: typeof fetch
  readonly pause?: (ms: number) => Promise<void>
}

export type EventStream = {
  /** Resolves when the stream has ended permanently. */
  readonly ended: Promise<void>
  /** Reconnects at once: the network has changed, or the device was asleep. */
  readonly reconnect: () => void
}

/** The server sends something every fifteen seconds; a stream that is silent for this time is dead. */
const silenceMs = 40_000

/** A stream that was open for longer than this has not failed; a shorter one counts as a failure. */
const heldMs = 2000

/** Returns true for statuses that a retry does not change. Rate limits and server errors are temporary. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

export function openEventStream(options: StreamOptions): EventStream {
  const { signal, isFinal = isRefusal, answerMs = silenceMs } = options
  const { firstPauseMs = 1000, longestPauseMs = 30_000 } = options
  const get = options.fetch ?? fetch
  let lastId = ''
  let attempt = new AbortController()
  let wake: (() => void) | null = null

  /** Reads until the stream breaks. Resolves to null when it has ended permanently. */
  async function read(): Promise<{ wasOpen: boolean } | null> {
    attempt = new AbortController()
    const listening = attempt
    let watch = setTimeout(() => listening.abort(), answerMs)
    let wasOpen = false
    try {
      const response = await get(options.address, {
        headers: { ...options.headers, ...(lastId === '' ? {} : { 'last-event-id': lastId }) },
        signal: AbortSignal.any([signal, listening.signal]),
      })
      if (isFinal(response.status)) return null
      if (!response.ok || !response.body) return { wasOpen }
      wasOpen = true
      options.onOpen?.()
      for await (const event of eventsOf(response.body)) {
        clearTimeout(watch)
        watch = setTimeout(() => listening.abort(), silenceMs)
        if (event.id !== '') lastId = event.id
        if (event.data !== '') options.onEvent(event)
      }
    } catch {
      // Reconnected below.
    } finally {
      clearTimeout(watch)
    }
    return { wasOpen }
  }

  async function follow(): Promise<void> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      const startedMs = performance.now()
      const outcome = await read()
      if (outcome === null || signal.aborted) return
      const wasHeld = outcome.wasOpen && performance.now() - startedMs > heldMs
      if (wasHeld) failures = 0
      options.onBreak?.({ wasHeld })
      const max = Math.min(longestPauseMs, firstPauseMs * 2 ** failures)
      // Random, so that not all pages reconnect at the same moment.
      await (options.pause ?? pause)(max * (0.5 + Math.random() / 2))
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function reconnect(): void {
    attempt.abort()
    wake?.()
  }

  const { network = window } = options
  network.addEventListener('online', reconnect, { signal })
  signal.addEventListener('abort', () => wake?.())
  return { ended: follow(), reconnect }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
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
      for (const part of parts) yield eventOf(part)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function eventOf(part: string): StreamedEvent {
  const fields = new Map(
    part.split('\n').map((line) => {
      const [name = '', ...rest] = line.split(': ')
      return [name, rest.join(': ')]
    }),
  )
  const field = (name: string) => fields.get(name) ?? ''
  return { id: field('id'), event: field('event'), data: field('data') }
}
