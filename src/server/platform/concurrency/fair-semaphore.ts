/**
 * A semaphore that is fair by account: those who wait are admitted in turns, one of each account, so
 * that somebody's hundred pieces of work delay another's first by one piece at most.
 */
import { currentScope } from './account-scope.ts'

export type FairSemaphoreOptions = {
  /** How many may run at a time, whoever they belong to. */
  readonly atOnce: number
  /** How many more may run, each of an account that has nothing running. */
  readonly reserve?: number
  /** The most that the weights of all that run may come to; nobody overtakes what does not fit yet. */
  readonly capacity?: number
}

type Waiter = { readonly weight: number; readonly admit: () => void }

export class FairSemaphore {
  readonly #options: Required<FairSemaphoreOptions>
  /** In the order in which the accounts are admitted: whoever was goes to the end. */
  readonly #waiting = new Map<string, Waiter[]>()
  readonly #runningOf = new Map<string, number>()
  #running = 0
  #load = 0

  constructor({ atOnce, reserve = 0, capacity = Infinity }: FairSemaphoreOptions) {
    this.#options = { atOnce, reserve, capacity }
  }

  get isIdle(): boolean {
    return this.#running === 0
  }

  /** Runs the work for the account of the current scope once it is admitted. */
  async run<T>(work: () => Promise<T>, { weight = 0 }: { weight?: number } = {}): Promise<T> {
    const { account } = currentScope()
    // What is heavier than all that fits would otherwise wait for ever.
    const load = Math.min(weight, this.#options.capacity)
    await this.#acquire(account, load)
    try {
      return await work()
    } finally {
      this.#release(account, load)
    }
  }

  #acquire(account: string, weight: number): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#hasPlace(account) && this.#fits(weight)) {
      this.#begin(account, weight)
      return undefined
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const line = this.#waiting.get(account) ?? []
    line.push({ weight, admit: resolve })
    this.#waiting.set(account, line)
    this.#admitWaiting()
    return promise
  }

  #release(account: string, weight: number): void {
    this.#running -= 1
    this.#load -= weight
    const left = (this.#runningOf.get(account) ?? 0) - 1
    if (left > 0) this.#runningOf.set(account, left)
    else this.#runningOf.delete(account)
    this.#admitWaiting()
  }

  #admitWaiting(): void {
    // Whoever is admitted is put at the end, and a Map is walked to its end: those come up again.
    for (const [account, line] of this.#waiting) {
      if (!this.#hasPlace(account)) continue
      const [next] = line
      if (!next || !this.#fits(next.weight)) return
      line.shift()
      this.#waiting.delete(account)
      if (line.length > 0) this.#waiting.set(account, line)
      this.#begin(account, next.weight)
      next.admit()
    }
  }

  #begin(account: string, weight: number): void {
    this.#running += 1
    this.#load += weight
    this.#runningOf.set(account, (this.#runningOf.get(account) ?? 0) + 1)
  }

  #hasPlace(account: string): boolean {
    const { atOnce, reserve } = this.#options
    return this.#running < atOnce + (this.#runningOf.has(account) ? 0 : reserve)
  }

  #fits(weight: number): boolean {
    return this.#load + weight <= this.#options.capacity
  }
}
