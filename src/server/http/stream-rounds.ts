/**
 * What all hubs of event streams have in common: rounds of work, one at a time and again after a
 * failure; a beat while anybody listens; and an end with the node.
 */
import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { Subscriber } from '../database/notifications.ts'

type HeldStream = { readonly content: Readable; readonly end: () => void }

type Rounds = {
  readonly beatMs: number
  readonly onBeat: () => void
  readonly hasWork: () => boolean
  /** One round. Where it fails it keeps what is left to do: it runs again soon. */
  readonly run: () => Promise<void>
  readonly endAll: () => void
  readonly subscriber: Subscriber
  /** What the hub has in the database, given back at its end. */
  readonly leave: () => Promise<void>
  /** Under what the log has a round that failed, and what could not be given back. */
  readonly events: { readonly waiting: string; readonly left: string }
}

const retryMs = 1000

export function createStreamRounds(
  { log, stopping, notifications }: Pick<Context, 'log' | 'stopping' | 'notifications'>,
  { beatMs, onBeat, hasWork, run, endAll, subscriber, leave, events }: Rounds,
) {
  let held = 0
  let beat: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isClosed = false
  stopping.addEventListener('abort', endAll, { once: true })
  const unsubscribe = notifications.subscribe(subscriber)

  const isDue = () => !isClosed && hasWork()

  function wake(): void {
    if (running || retry || !isDue()) return
    running = work().finally(() => {
      running = null
      // What came in after the last look and before this.
      wake()
    })
  }

  async function work(): Promise<void> {
    while (isDue()) {
      try {
        await run()
      } catch (error) {
        log.warn({ event: events.waiting, err: error }, 'event streams have to wait')
        retry = setTimeout(() => {
          retry = undefined
          wake()
        }, retryMs)
        return
      }
    }
  }

  return {
    /** Begins a round where there is work, unless one goes on or waits for its next try. */
    wake,
    /** Counts a stream as open until it closes. */
    hold(stream: HeldStream, onClose: () => void): void {
      held += 1
      beat ??= setInterval(onBeat, beatMs)
      stream.content.once('close', () => {
        held -= 1
        if (held === 0) {
          clearInterval(beat)
          beat = undefined
        }
        onClose()
        wake()
      })
      if (stopping.aborted) stream.end()
    },
    async close(): Promise<void> {
      isClosed = true
      endAll()
      unsubscribe()
      stopping.removeEventListener('abort', endAll)
      clearInterval(beat)
      clearTimeout(retry)
      await running
      await leave().catch((error: unknown) => {
        log.warn({ event: events.left, err: error }, 'what streams held is left to run out')
      })
    },
  }
}
