/**
 * At most n at once, within this process. It is fair by account: those who wait are admitted in turns,
 * one of each account, so that somebody's hundred pieces of work delay another's first by one at most.
 */
import { currentScope } from './account-scope.ts'

export type SemaphoreOptions = {
  /** How many may run at a time, whoever they belong to. */
  readonly atOnce: number
  /** How many of them may be one account's. */
  readonly atOncePerAccount?: number
  /** How many more may run, each of an account that has nothing running. */
  readonly reserve?: number
  /** The most that the weights of all that run may come to; nobody overtakes what does not fit yet. */
  readonly capacity?: number
  /** Past so many, the next is refused with SemaphoreFull. */
  readonly mostWaiting?: number
}

type AcquireOptions = {
  readonly weight?: number
  /** Its abort takes what waits out of the queue, and rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Gives the permit back; a second time does nothing. */
export type Release = () => void

export class SemaphoreFull extends Error {
  override name = 'SemaphoreFull'
}

type Waiter = {
  readonly account: string
  readonly weight: number
  readonly admit: (release: Release) => void
}

export class Semaphore {
  readonly #options: Required<SemaphoreOptions>
  /** In the order in which the accounts are admitted: one that has just been goes to the end. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  readonly #runningOf = new Map<string, number>()
  #waitingCount = 0
  #running = 0
  #load = 0

  constructor(options: SemaphoreOptions) {
    const unbounded = { atOncePerAccount: Infinity, capacity: Infinity, mostWaiting: Infinity }
    this.#options = { reserve: 0, ...unbounded, ...options }
  }

  get isIdle(): boolean {
    return this.#running === 0
  }

  /** Runs the work for the account of the current scope once it is admitted; never in this tick. */
  async run<T>(work: () => Promise<T>, options: AcquireOptions = {}): Promise<T> {
    const release = await this.acquire(options)
    try {
      return await work()
    } finally {
      release()
    }
  }

  async acquire({ weight = 0, signal }: AcquireOptions = {}): Promise<Release> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const waiter = this.#join(weight, resolve)
    if (this.#waitingCount > this.#options.mostWaiting && this.#leave(waiter))
      throw new SemaphoreFull('Too many wait already')
    const abort = () => {
      if (this.#leave(waiter)) reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Null where it would have to wait. */
  tryAcquire(): Release | null {
    const permits: Release[] = []
    this.#leave(this.#join(0, (release) => permits.push(release)))
    return permits[0] ?? null
  }

  #join(weight: number, admit: Waiter['admit']): Waiter {
    const { account } = currentScope()
    // What is heavier than all that fits would otherwise wait for ever.
    const waiter = { account, weight: Math.min(weight, this.#options.capacity), admit }
    if (this.#waitingCount === 0 && this.#hasPlace(account) && this.#fits(waiter)) {
      admit(this.#begin(waiter))
      return waiter
    }
    this.#waiting.set(account, (this.#waiting.get(account) ?? new Set()).add(waiter))
    this.#waitingCount += 1
    this.#admitWaiting()
    return waiter
  }

  /** False where it does not wait any more. */
  #leave(waiter: Waiter): boolean {
    if (!this.#unqueue(waiter)) return false
    // It may have been what nobody was to overtake.
    this.#admitWaiting()
    return true
  }

  #unqueue(waiter: Waiter): boolean {
    const queue = this.#waiting.get(waiter.account)
    if (!queue?.delete(waiter)) return false
    this.#waitingCount -= 1
    if (queue.size === 0) this.#waiting.delete(waiter.account)
    return true
  }

  #admitWaiting(): void {
    // An account that was admitted is put at the end, and a Map is walked to its end: it comes up again.
    for (const [account, queue] of this.#waiting) {
      if (!this.#hasPlace(account)) continue
      const [next] = queue
      if (!next || !this.#fits(next)) return
      this.#unqueue(next)
      if (this.#waiting.delete(account)) this.#waiting.set(account, queue)
      next.admit(this.#begin(next))
    }
  }

  #begin({ account, weight }: Waiter): Release {
    this.#count(account, weight, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#count(account, -weight, -1)
      this.#admitWaiting()
    }
  }

  #count(account: string, weight: number, by: 1 | -1): void {
    this.#running += by
    this.#load += weight
    const running = (this.#runningOf.get(account) ?? 0) + by
    if (running > 0) this.#runningOf.set(account, running)
    else this.#runningOf.delete(account)
  }

  #fits({ weight }: Waiter): boolean {
    return this.#load + weight <= this.#options.capacity
  }

  #hasPlace(account: string): boolean {
    const { atOnce, atOncePerAccount, reserve } = this.#options
    const running = this.#runningOf.get(account) ?? 0
    return running < atOncePerAccount && this.#running < atOnce + (running > 0 ? 0 : reserve)
  }
}

/**
 * Works through a list, so many at a time; the list is read as far as it is worked on. After a failure
 * nothing new begins, and nothing is still running when it rejects, so that a clean-up afterwards
 * cleans all of it.
 */
export async function forEachLimit<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = Iterator.from(items)
  const failures: unknown[] = []
  const workOn = async () => {
    // Not `for … of`, which would end the list for the others too.
    for (let next = rest.next(); !next.done && failures.length === 0; next = rest.next()) {
      await work(next.value).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: limit }, workOn))
  if (failures.length > 0) throw failures[0]
}
