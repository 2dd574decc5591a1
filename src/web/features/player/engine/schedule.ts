/**
 * How long each slide is shown and in which order, worked out from a seed. A slide's time depends
 * on the seed and on the slide alone, so people who are shown different slides of one link still
 * see each of them for the same time.
 */
import { chanceFrom } from '../../../../contract/chance.ts'
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
  /** What was shown last before this round; it does not come first. */
  readonly after: number | null
}

/** The places of all slides, each once. */
export function orderOfRound({ count, seed, round, isShuffled, after }: RoundOfSlides): number[] {
  const places = Array.from({ length: count }, (_, place) => place)
  if (!isShuffled) return places
  return withoutEcho(shuffled(places, `${seed}/round ${round}`), after)
}

/** The first round. Mixed, all other slides follow the one that was asked for. */
export function orderFrom(
  startIndex: number | undefined,
  round: { readonly count: number; readonly seed: string; readonly isShuffled: boolean },
): number[] {
  const order = orderOfRound({ ...round, round: 0, after: null })
  if (startIndex === undefined || !round.isShuffled) return order
  return [startIndex, ...order.filter((index) => index !== startIndex)]
}

/** The places in an order that the seed decides. */
export function shuffled(places: readonly number[], seed: string): number[] {
  const chance = chanceFrom(seed)
  const mixed = [...places]
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const pick = Math.floor(chance() * (last + 1))
    const [one, other] = [mixed[last], mixed[pick]]
    if (one === undefined || other === undefined) continue
    mixed[last] = other
    mixed[pick] = one
  }
  return mixed
}

/** A slide that ended one round does not begin the next. */
function withoutEcho(order: number[], after: number | null): number[] {
  const [first, ...rest] = order
  return first !== undefined && first === after && rest.length > 0 ? [...rest, first] : order
}
