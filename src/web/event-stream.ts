/**
 * One event stream of the service, kept open: a stream that breaks is opened again after the last
 * event that was read, with pauses that grow while the service does not answer. An EventSource cannot
 * send the headers that open a shared session, so the stream is read by hand.
 */

/** One event as it is in the stream. A comment, which the server sends as a heartbeat, has no data. */
export type StreamedEvent = { readonly id: string; readonly event: string; readonly data: string }

export type StreamOptions = {
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly onOpen?: () => void
  readonly onEvent: (event: StreamedEvent) => void
  /** The stream broke, or could not be opened. `wasHeld` where it was open for a while. */
  readonly onBreak?: (how: { readonly wasHeld: boolean }) => void
  /** The stream ends for good where this returns true: it is closed to this visitor. */
  readonly isFinal?: (status: number) => boolean
  /** How long the first event may take; a connection that hangs is opened again. */
  readonly answerMs?: number
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
  /** Dispatches 'online' when the network is back; the window does. */
  readonly network?: EventTarget
  readonly fetch?: typeof fetch
  readonly pause?: (ms: number) => Promise<void>
}

export type EventStream = {
  /** Resolves when it has ended for good. */
  readonly ended: Promise<void>
  /** Opens the stream again at once: the network has changed, or a device was asleep. */
  readonly reconnect: () => void
}

/** The server sends something every fifteen seconds; a stream that is silent for longer is dead. */
const silenceMs = 40_000

/** A stream that was open for longer has not failed; one that breaks sooner, again and again, has. */
const heldMs = 2000

/** Statuses that another try does not change. A limit and a server in trouble pass. */
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

  /** Reads until the stream breaks. Null where it has ended for good. */
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
      // It is opened again below.
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
      const most = Math.min(longestPauseMs, firstPauseMs * 2 ** failures)
      // Not every page of a site at the same moment.
      await (options.pause ?? pause)(most * (0.5 + Math.random() / 2))
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
