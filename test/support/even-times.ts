/** Whether a stop watch tells two kinds of request from each other. */
import type { FaultTools } from './fault.ts'

export const evenFrom = 0.45
export const evenTo = 0.55

/** Makes what is tried next, before the watch starts: a guess that takes longer to make is no slower answer. */
type Guesses = { readonly first: () => string; readonly second: () => string }

/** How often one of the first took longer than one of the second (Mann and Whitney's U, by n²). */
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
