/**
 * Concurrency and time limits for libvips. A few pictures are processed at a time, and accounts take turns.
 * Each picture has one time budget for all its pages, hashes and thumbnails.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Semaphore } from '../platform/concurrency/semaphore.ts'

type Budget = { leftMs: number }
type Turn = { readonly endsAtMs: number }

const pictureBudgetMs = 30_000

// libvips has one thread pool for the whole process, so the limit is for the process too. Two at a time, so
// that pictures neither fill the memory nor use every thread. A third only for an account that has none
// running, so that it does not wait for another account's slow picture.
const turns = new Semaphore({ atOnce: 2, reserve: 1 })
const budgets = new AsyncLocalStorage<Budget>()
const heldTurn = new AsyncLocalStorage<Turn>()

/** Takes one turn for all the work inside. Nested calls do not wait for another turn. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (heldTurn.getStore()) return work()
  return turns.run(async () => {
    const budget = budgets.getStore() ?? { leftMs: pictureBudgetMs }
    const startedMs = performance.now()
    try {
      return await heldTurn.run({ endsAtMs: startedMs + budget.leftMs }, work)
    } finally {
      budget.leftMs -= performance.now() - startedMs
    }
  })
}

/**
 * Sets one budget for all turns inside. Time between them does not count. `tooSlow` creates the error for a
 * picture that used up the budget, even if each of its parts finished.
 */
export function withinBudget<T>(
  tooSlow: () => Error,
  work: () => Promise<T>,
  { budgetMs = pictureBudgetMs } = {},
): Promise<T> {
  const budget = { leftMs: budgetMs }
  return budgets.run(budget, async () => {
    const result = await work()
    if (budget.leftMs <= 0) throw tooSlow()
    return result
  })
}

/** Returns the rest of the budget for the current turn. */
export function remainingTurnMs(): number {
  const turn = heldTurn.getStore()
  return turn ? turn.endsAtMs - performance.now() : pictureBudgetMs
}
