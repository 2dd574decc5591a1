/**
 * Common parts of all hubs of event streams: rounds of work, one at a time, with a retry after a failure; a
 * regular beat while anyone listens; and closing when the node stops.
 */
import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { Subscriber } from '../database/notifications.ts'

type HeldStream = { readonly content: Readable; readonly end: () => void }

type Rounds = {
  readonly beatMs: number
  readonly onBeat: () => void
  readonly hasWork: () => boolean
  /** Does one round. If it fails, it keeps the remaining work and runs again soon. */
  readonly run: () => Promise<void>
  readonly endAll: () => void
  readonly subscriber: Subscriber
  /** Releases the hub's rows in the database at its end. */
  readonly leave: () => Promise<void>
  /** Names of log events for a failed round, and for a failed release. */
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
      // Work may have arrived after the last check and before this.
      wake()
    })
  }

  async function work(): Promise<void> {
    while (isDue()) {
      try {
        await run()
      } catch (error) {
        log.warn(
          { event: events.waiting, err: error },
          'failed to update event streams, trying again',
        )
        retry = setTimeout(() => {
          retry = undefined
          wake()
        }, retryMs)
        return
      }
    }
  }

  return {
    /** Starts a round if there is work, unless one is running or waits for its retry. */
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
        log.warn(
          { event: events.left, err: error },
          'failed to release event stream slots, they will expire',
        )
      })
    },
  }
}
