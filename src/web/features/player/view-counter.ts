/**
 * Reports to the server which slides were shown, several per request: requests are rate limited, and a
 * view is charged once per play. The first slide is reported at once, so that a viewer without enough
 * credits learns it immediately.
 */
import { ApiProblem } from '../../../client/client.ts'

export type Charge = { readonly charged: number; readonly balance: number | null }

export type ViewDesk = {
  /** Starts the play. Resolves to its id. */
  readonly begin: () => Promise<number>
  readonly report: (playId: number, mediaIds: number[], isLeaving: boolean) => Promise<Charge>
  readonly onCharge: (charge: Charge) => void
  /** Called when the viewer has too few credits for the slides that were shown. */
  readonly onUnpaid: () => void
}

const reportedTogether = 6

export function createViewCounter({ begin, report, onCharge, onUnpaid }: ViewDesk) {
  const seen = new Set<number>()
  let unreported: number[] = []
  let play: Promise<number> | null = null
  let isFirst = true
  let hasStopped = false
  let last: Promise<void> = Promise.resolve()

  /**
   * Starts the play once; retries only if the start failed. If the response to a view is lost, the server
   * may have counted it. A new play would charge that view a second time.
   */
  function begun(): Promise<number> {
    play ??= begin().catch((error: unknown) => {
      play = null
      throw error
    })
    return play
  }

  async function send(mediaIds: number[], isLeaving: boolean): Promise<void> {
    if (hasStopped) return
    try {
      onCharge(await report(await begun(), mediaIds, isLeaving))
    } catch (error) {
      // Send these again with the next ones: the server counts each slide once.
      unreported = [...mediaIds, ...unreported]
      if (error instanceof ApiProblem && error.status === 402) {
        hasStopped = true
        onUnpaid()
      }
    }
  }

  function flush(isLeaving: boolean): void {
    if (unreported.length === 0 || hasStopped) return
    const mediaIds = unreported
    unreported = []
    isFirst = false
    // When the page closes, code after this call does not run. Do not wait for the requests before.
    if (isLeaving) void send(mediaIds, true)
    else last = last.then(() => send(mediaIds, false))
  }

  return {
    saw(mediaId: number): void {
      if (seen.has(mediaId)) return
      seen.add(mediaId)
      unreported.push(mediaId)
      if (isFirst || unreported.length >= reportedTogether) flush(false)
    },
    /** Reports the remaining slides when the show is over or the page closes. */
    settle(options: { readonly isLeaving: boolean }): void {
      flush(options.isLeaving)
    },
  }
}
