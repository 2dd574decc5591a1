/**
 * What large bodies hold in memory, forms and JSON, all of this process together. Past its share an
 * account waits for itself, past the limit all wait, which their connections feel. Who holds least
 * goes first, nobody waits for ever, and who sends slowly while others wait is given up.
 */
import { tooManyAtOnce } from './large-bodies.ts'

export type BodyMemory = { open(account: string): BodyShare }

/** The share of one request, from its first byte until it has been answered. */
export type BodyShare = {
  /** Resolves when there is room for these bytes. */
  take(bytes: number): Promise<void>
  /** All of it has been read; while it is worked with it is in memory so many times. */
  beginWork(options?: { readonly times: number }): Promise<void>
  release(): void
  /** Aborted, with what to answer, when the sender is given up. */
  readonly signal: AbortSignal
}

export type BodyMemoryLimits = {
  readonly maxBytes: number
  /** The first body of an account may go past it, or a large one would never end. */
  readonly accountMaxBytes: number
  readonly mostWaiting: number
  /** How long one body may wait, all its waits together. */
  readonly waitMs: number
  /** A sender below this rate for so long is slow, and is given up where others wait. */
  readonly slowAfterMs: number
  readonly slowBytesPerSecond: number
  readonly checkMs: number
}

type Share = {
  readonly account: string
  readonly openedMs: number
  readonly givenUp: AbortController
  phase: 'reading' | 'read' | 'working'
  bytes: number
  waitedMs: number
}

type Waiter = {
  readonly share: Share
  readonly bytes: number
  readonly sinceMs: number
  readonly settled: PromiseWithResolvers<void>
}

export function createBodyMemory(limits: BodyMemoryLimits): BodyMemory {
  const shares = new Set<Share>()
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined

  const heldBytes = () => [...shares].reduce((sum, { bytes }) => sum + bytes, 0)
  const bytesOf = (account: string) =>
    [...shares].reduce((sum, share) => (share.account === account ? sum + share.bytes : sum), 0)
  const isFirstOfAccount = (share: Share) =>
    shares.values().find(({ account }) => account === share.account) === share
  const mayGrow = ({ share, bytes }: Waiter) =>
    isFirstOfAccount(share) || bytesOf(share.account) + bytes <= limits.accountMaxBytes
  const waitersOf = (account: string) =>
    [...waiters].filter(({ share }) => share.account === account).length

  /** What has been read goes first, as it is soon gone; then whoever's account holds least. */
  const inOrder = () =>
    [...waiters]
      .filter(mayGrow)
      .map((waiter) => ({ waiter, held: bytesOf(waiter.share.account) }))
      .toSorted((a, b) => Number(isRead(b.waiter)) - Number(isRead(a.waiter)) || a.held - b.held)
      .map(({ waiter }) => waiter)

  const nextWaiter = (): Waiter | undefined => {
    const [head, ...others] = inOrder()
    if (!head || heldBytes() + head.bytes <= limits.maxBytes) return head
    // Were nobody at work, all would wait for each other: one goes past the limit.
    if (shares.values().some(({ phase }) => phase === 'working')) return undefined
    const [oldest] = shares
    return isRead(head) ? head : [head, ...others].find(({ share }) => share === oldest)
  }

  const end = (waiter: Waiter) => {
    waiters.delete(waiter)
    waiter.share.waitedMs += performance.now() - waiter.sinceMs
    if (waiters.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const grant = () => {
    for (let next = nextWaiter(); next; next = nextWaiter()) {
      end(next)
      next.share.bytes += next.bytes
      if (next.share.phase === 'read') next.share.phase = 'working'
      next.settled.resolve()
    }
  }

  const refuse = (waiter: Waiter) => {
    end(waiter)
    waiter.settled.reject(tooManyAtOnce())
  }

  /** The slowest of the account that holds most, for somebody who holds less. */
  const giveUpSlowest = () => {
    const head = inOrder().find((waiter) => !isRead(waiter))
    if (!head) return
    const least = bytesOf(head.share.account)
    const [slowest] = [...shares]
      .map((share) => ({ share, held: bytesOf(share.account), rate: rateOf(share, waiters) }))
      .filter(({ share, held, rate }) => {
        const { sendingMs, bytesPerSecond } = rate
        const isSlow = bytesPerSecond < limits.slowBytesPerSecond && sendingMs > limits.slowAfterMs
        return share.phase === 'reading' && !share.givenUp.signal.aborted && isSlow && held > least
      })
      .toSorted((a, b) => b.held - a.held || a.rate.bytesPerSecond - b.rate.bytesPerSecond)
    slowest?.share.givenUp.abort(tooManyAtOnce())
  }

  const check = () => {
    const nowMs = performance.now()
    for (const waiter of waiters)
      if (waiter.share.waitedMs + nowMs - waiter.sinceMs > limits.waitMs) refuse(waiter)
    giveUpSlowest()
    grant()
  }

  const ask = (share: Share, bytes: number): Promise<void> => {
    const settled = Promise.withResolvers<void>()
    waiters.add({ share, bytes, sinceMs: performance.now(), settled })
    grant()
    if (waiters.size > limits.mostWaiting) {
      // The latest of whoever has most waiting, which may be this one.
      const [last] = [...waiters]
        .toReversed()
        .toSorted((a, b) => waitersOf(b.share.account) - waitersOf(a.share.account))
      if (last) refuse(last)
    }
    if (waiters.size > 0) timer ??= setInterval(check, limits.checkMs).unref()
    return settled.promise
  }

  return {
    open(account) {
      const givenUp = new AbortController()
      const openedMs = performance.now()
      const share: Share = { account, openedMs, givenUp, phase: 'reading', bytes: 0, waitedMs: 0 }
      shares.add(share)
      return {
        signal: givenUp.signal,
        take: (bytes) => ask(share, bytes),
        beginWork({ times } = { times: 1 }) {
          share.phase = 'read'
          return ask(share, share.bytes * (times - 1))
        },
        release() {
          shares.delete(share)
          for (const waiter of waiters) if (waiter.share === share) refuse(waiter)
          grant()
        },
      }
    },
  }
}

function isRead({ share }: Waiter): boolean {
  return share.phase === 'read'
}

/** Without the time in which it was not read for want of room. */
function rateOf(share: Share, waiters: Iterable<Waiter>) {
  const nowMs = performance.now()
  const waits = Iterator.from(waiters).find((waiter) => waiter.share === share)
  const waitingMs = waits ? nowMs - waits.sinceMs : 0
  const sendingMs = nowMs - share.openedMs - share.waitedMs - waitingMs
  return { sendingMs, bytesPerSecond: (share.bytes / Math.max(1, sendingMs)) * 1000 }
}

/** Ten of the largest forms there are, or hundreds of common ones; a quarter for each account. */
export const bodyMemory = createBodyMemory({
  maxBytes: 256 * 1_048_576,
  accountMaxBytes: 64 * 1_048_576,
  mostWaiting: 64,
  waitMs: 30_000,
  slowAfterMs: 10_000,
  slowBytesPerSecond: 256 * 1024,
  checkMs: 1000,
})
