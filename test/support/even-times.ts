/** Measures if two kinds of requests can be distinguished by their response times. */
import type { FaultTools } from './fault.ts'

export const evenFrom = 0.45
export const evenTo = 0.55

/**
 * Creates the next guess before the time is measured, so that a guess that takes longer to create does not
 * look like a slower response.
 */
type Guesses = { readonly first: () => string; readonly second: () => string }

/**
 * Returns the share of pairs in which the first took longer than the second (Mann and Whitney's U, divided by
 * n²).
 */
export async function evenness(
  { random }: Pick<FaultTools, 'random'>,
  tries: number,
  ask: (guess: string) => Promise<unknown>,
  guesses: Guesses,
): Promise<number> {
  const times = { first: [] as number[], second: [] as number[] }
  for (let n = 0; n < 10; n += 1)
    for (const make of [guesses.first, guesses.second]) await ask(make())
  for (let n = 0; n < tries / 2; n += 1) {
    const order =
      random.fraction() < 0.5 ? (['first', 'second'] as const) : (['second', 'first'] as const)
    for (const which of order) {
      const guess = guesses[which]()
      const startedMs = performance.now()
      await ask(guess)
      times[which].push(performance.now() - startedMs)
    }
  }
  let longer = 0
  for (const one of times.first)
    for (const other of times.second) longer += one > other ? 1 : one === other ? 0.5 : 0
  return longer / (times.first.length * times.second.length)
}

export function isEven(share: number): boolean {
  return share >= evenFrom && share <= evenTo
}
