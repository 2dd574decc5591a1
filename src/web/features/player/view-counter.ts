/**
 * Tells the server which slides were shown, a few at a time: views are charged once in a play, and
 * requests are counted. The first one is told at once, so that whoever cannot pay hears of it then.
 */
import { ApiProblem } from '../../../client/client.ts'

export type Charge = { readonly charged: number; readonly balance: number | null }

export type ViewDesk = {
  /** Begins the play; its number. */
  readonly begin: () => Promise<number>
  readonly tell: (playId: number, mediaIds: number[], isLeaving: boolean) => Promise<Charge>
  readonly onCharge: (charge: Charge) => void
  /** There are not enough credits for what was shown. */
  readonly onUnpaid: () => void
}

const toldTogether = 6

export function createViewCounter({ begin, tell, onCharge, onUnpaid }: ViewDesk) {
  const seen = new Set<number>()
  let untold: number[] = []
  let play: Promise<number> | null = null
  let isFirst = true
  let hasStopped = false
  let last: Promise<void> = Promise.resolve()

  /**
   * Only a play that could not begin is begun again. Where a view's answer was lost the server may
   * have counted it, and in another play it would be charged once more.
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
      onCharge(await tell(await begun(), mediaIds, isLeaving))
    } catch (error) {
      // Told again with the next ones: the server counts each slide once.
      untold = [...mediaIds, ...untold]
      if (error instanceof ApiProblem && error.status === 402) {
        hasStopped = true
        onUnpaid()
      }
    }
  }

  function flush(isLeaving: boolean): void {
    if (untold.length === 0 || hasStopped) return
    const mediaIds = untold
    untold = []
    isFirst = false
    // When the page is going, nothing that comes later will run.
    if (isLeaving) void send(mediaIds, true)
    else last = last.then(() => send(mediaIds, false))
  }

  return {
    saw(mediaId: number): void {
      if (seen.has(mediaId)) return
      seen.add(mediaId)
      untold.push(mediaId)
      if (isFirst || untold.length >= toldTogether) flush(false)
    },
    /** What is left, when the show is over or the page is left. */
    settle(options: { readonly isLeaving: boolean }): void {
      flush(options.isLeaving)
    },
  }
}
