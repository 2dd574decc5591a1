/**
 * Turns at libvips, and the time that a picture may take: a few pictures are worked on at a time, by
 * turns of their accounts, each within one budget for all its pages, hashes and small pictures.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Semaphore } from '../platform/concurrency/semaphore.ts'

type Budget = { leftMs: number }
type Turn = { readonly endsAtMs: number }

const pictureBudgetMs = 30_000

// libvips has one set of threads for the whole process, so its turns are the process's too. Two, so
// that many pictures neither fill the memory nor take every thread; a third only for an account that
// has none, which then does not wait until somebody's slow picture is done.
const turns = new Semaphore({ atOnce: 2, reserve: 1 })
const budgets = new AsyncLocalStorage<Budget>()
const heldTurn = new AsyncLocalStorage<Turn>()

/** One turn for all that is done inside. Work that has a turn already does not wait for another. */
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
 * One budget for all turns inside; the time between them does not count. `tooSlow` makes the error
 * for a picture that has used up all of it, even where each of its parts was done.
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

/** What is left of the budget for whoever has a turn. */
export function leftOfTurnMs(): number {
  const turn = heldTurn.getStore()
  return turn ? turn.endsAtMs - performance.now() : pictureBudgetMs
}
