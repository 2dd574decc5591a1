/**
 * Limits the memory of large bodies, forms and JSON, in this process. Above its share an account waits for
 * its own bodies. Above the limit all wait, and TCP slows their connections down. The account that holds
 * least is served first, no wait is endless, and a slow sender is aborted while others wait.
 */
import { tooManyAtOnce } from './large-bodies.ts'

export type BodyMemory = { open(account: string): BodyShare }

/** The share of one request, from its first byte until it is answered. */
export type BodyShare = {
  /** Resolves when there is room for these bytes. */
  take(bytes: number): Promise<void>
  /** Marks the body as read completely. While it is processed, it is in memory `times` times. */
  beginWork(options?: { readonly times: number }): Promise<void>
  release(): void
  /** Aborted, with the response as the reason, when the sender is too slow. */
  readonly signal: AbortSignal
}

export type BodyMemoryLimits = {
  readonly maxBytes: number
  /** The first body of an account may exceed this. Otherwise a large one would never finish. */
  readonly accountMaxBytes: number
  readonly maxWaiting: number
  /** The maximum time that one body may wait, in total. */
  readonly waitMs: number
  /** A sender below this rate for this long is slow, and is aborted if others wait. */
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

  /** Sorts completed bodies first, because they are released soon. Then the accounts that hold least. */
  const inOrder = () =>
    [...waiters]
      .filter(mayGrow)
      .map((waiter) => ({ waiter, held: bytesOf(waiter.share.account) }))
      .toSorted((a, b) => Number(isRead(b.waiter)) - Number(isRead(a.waiter)) || a.held - b.held)
      .map(({ waiter }) => waiter)

  const nextWaiter = (): Waiter | undefined => {
    const [head, ...others] = inOrder()
    if (!head || heldBytes() + head.bytes <= limits.maxBytes) return head
    // If no request were being processed, all would wait for each other. So one may exceed the limit.
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

  /** Aborts the slowest sender of the account that holds most, if an account that holds less waits. */
  const giveUpSlowest = () => {
    const head = inOrder().find((waiter) => !isRead(waiter))
    if (!head) return
    const min = bytesOf(head.share.account)
    const [slowest] = [...shares]
      .map((share) => ({ share, held: bytesOf(share.account), rate: rateOf(share, waiters) }))
      .filter(({ share, held, rate }) => {
        const { sendingMs, bytesPerSecond } = rate
        const isSlow = bytesPerSecond < limits.slowBytesPerSecond && sendingMs > limits.slowAfterMs
        return share.phase === 'reading' && !share.givenUp.signal.aborted && isSlow && held > min
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
    if (waiters.size > limits.maxWaiting) {
      // Refuses the latest waiter of the account with the most waiters, which may be this one.
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

/** Returns the sending rate, without the time in which we did not read because there was no room. */
function rateOf(share: Share, waiters: Iterable<Waiter>) {
  const nowMs = performance.now()
  const waits = Iterator.from(waiters).find((waiter) => waiter.share === share)
  const waitingMs = waits ? nowMs - waits.sinceMs : 0
  const sendingMs = nowMs - share.openedMs - share.waitedMs - waitingMs
  return { sendingMs, bytesPerSecond: (share.bytes / Math.max(1, sendingMs)) * 1000 }
}

/** Ten of the largest forms, or hundreds of common ones. Each account may use a quarter. */
export const bodyMemory = createBodyMemory({
  maxBytes: 256 * 1_048_576,
  accountMaxBytes: 64 * 1_048_576,
  maxWaiting: 64,
  waitMs: 30_000,
  slowAfterMs: 10_000,
  slowBytesPerSecond: 256 * 1024,
  checkMs: 1000,
})
