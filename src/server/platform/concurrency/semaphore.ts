/**
 * Limits concurrent work to n within this process. It is fair by account: waiting accounts are admitted in
 * turn, one task each. So a hundred tasks of one account delay the first task of another by at most one.
 */
import { currentScope } from './account-scope.ts'

export type SemaphoreOptions = {
  /** The number of tasks that may run at a time, over all accounts. */
  readonly atOnce: number
  /** The number of those that one account may run. */
  readonly atOncePerAccount?: number
  /** The number of extra tasks that may run, each for an account that has nothing running. */
  readonly reserve?: number
  /** The maximum sum of the weights of running tasks. Tasks behind one that does not fit yet wait too. */
  readonly capacity?: number
  /** The maximum number of waiting tasks. The next one is refused with SemaphoreFull. */
  readonly maxWaiting?: number
}

type AcquireOptions = {
  readonly weight?: number
  /** Aborting removes the task from the queue and rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Returns the permit. A second call does nothing. */
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
  /** Accounts in the order of admission. An account that was just admitted moves to the end. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  readonly #runningOf = new Map<string, number>()
  #waitingCount = 0
  #running = 0
  #load = 0

  constructor(options: SemaphoreOptions) {
    const unbounded = { atOncePerAccount: Infinity, capacity: Infinity, maxWaiting: Infinity }
    this.#options = { reserve: 0, ...unbounded, ...options }
  }

  get isIdle(): boolean {
    return this.#running === 0
  }

  /** Runs the work for the account of the current scope when it is admitted, never in this tick. */
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
    if (this.#waitingCount > this.#options.maxWaiting && this.#leave(waiter))
      throw new SemaphoreFull('Too many callers are already waiting')
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

  /** Returns null if it would have to wait. */
  tryAcquire(): Release | null {
    const permits: Release[] = []
    this.#leave(this.#join(0, (release) => permits.push(release)))
    return permits[0] ?? null
  }

  #join(weight: number, admit: Waiter['admit']): Waiter {
    const { account } = currentScope()
    // A task heavier than the whole capacity would otherwise wait forever.
    const waiter = { account, weight: Math.min(weight, this.#options.capacity), admit }
    if (this.#waitingCount === 0 && this.#hasCapacity(account) && this.#fits(waiter)) {
      admit(this.#begin(waiter))
      return waiter
    }
    this.#waiting.set(account, (this.#waiting.get(account) ?? new Set()).add(waiter))
    this.#waitingCount += 1
    this.#admitWaiting()
    return waiter
  }

  /** Returns false if the task no longer waits. */
  #leave(waiter: Waiter): boolean {
    if (!this.#unqueue(waiter)) return false
    // The removed task may have blocked those behind it.
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
    // An admitted account moves to the end of the Map. Map iteration includes it, so it is visited again.
    for (const [account, queue] of this.#waiting) {
      if (!this.#hasCapacity(account)) continue
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

  #hasCapacity(account: string): boolean {
    const { atOnce, atOncePerAccount, reserve } = this.#options
    const running = this.#runningOf.get(account) ?? 0
    return running < atOncePerAccount && this.#running < atOnce + (running > 0 ? 0 : reserve)
  }
}

/**
 * Runs `work` on the items, at most `limit` at a time, and reads the list only as needed. After a failure
 * no new item starts. It rejects only when nothing is running any more, so a cleanup afterwards removes
 * everything.
 */
export async function forEachLimit<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = Iterator.from(items)
  const failures: unknown[] = []
  const workOn = async () => {
    // Not `for … of`: when one loop ends, it would close the iterator for the others.
    for (let next = rest.next(); !next.done && failures.length === 0; next = rest.next()) {
      await work(next.value).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: limit }, workOn))
  if (failures.length > 0) throw failures[0]
}
