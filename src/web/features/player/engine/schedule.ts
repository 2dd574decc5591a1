/**
 * Computes from a seed how long each slide is shown, and in which order. The time of a slide depends only
 * on the seed and the slide. So viewers who get different slides of one link still see each slide for the
 * same time.
 */
import { randomFrom } from '../../../../contract/random.ts'
import { intervalMsOf } from '../../../../contract/slide-time.ts'

export type Pace = {
  readonly seed: string
  readonly intervalMinS: number
  readonly intervalMaxS: number
}

export function holdMsOf(
  slide: { readonly id: number; readonly durationMs: number | null },
  { seed, intervalMinS, intervalMaxS }: Pace,
): number {
  if (slide.durationMs !== null) return slide.durationMs
  const intervalMin = Math.min(intervalMinS, intervalMaxS)
  const intervalMax = Math.max(intervalMinS, intervalMaxS)
  return intervalMsOf(slide.id, { seed, intervalMin, intervalMax })
}

export type RoundOfSlides = {
  readonly count: number
  readonly seed: string
  readonly round: number
  readonly isShuffled: boolean
  /** The last slide of the round before. It is not the first slide of this round. */
  readonly after: number | null
}

/** Returns the indexes of all slides, each once, in the order of this round. */
export function orderOfRound({ count, seed, round, isShuffled, after }: RoundOfSlides): number[] {
  const indexes = Array.from({ length: count }, (_, index) => index)
  if (!isShuffled) return indexes
  return withoutEcho(shuffled(indexes, `${seed}/round ${round}`), after)
}

/** Returns the order of the first round. If shuffled, it starts with the requested slide. */
export function orderFrom(
  startIndex: number | undefined,
  round: { readonly count: number; readonly seed: string; readonly isShuffled: boolean },
): number[] {
  const order = orderOfRound({ ...round, round: 0, after: null })
  if (startIndex === undefined || !round.isShuffled) return order
  return [startIndex, ...order.filter((index) => index !== startIndex)]
}

/** Returns the items in a random order that depends only on the seed. */
export function shuffled(indexes: readonly number[], seed: string): number[] {
  const chance = randomFrom(seed)
  const mixed = [...indexes]
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const pick = Math.floor(chance() * (last + 1))
    const [one, other] = [mixed[last], mixed[pick]]
    if (one === undefined || other === undefined) continue
    mixed[last] = other
    mixed[pick] = one
  }
  return mixed
}

/** Moves the first slide to the end if it was also the last slide of the round before. */
function withoutEcho(order: number[], after: number | null): number[] {
  const [first, ...rest] = order
  return first !== undefined && first === after && rest.length > 0 ? [...rest, first] : order
}
