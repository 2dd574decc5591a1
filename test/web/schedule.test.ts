/** The seeded schedule: the same for everyone with the link, and fair. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holdMsOf, orderOfRound, shuffled } from '../../src/web/features/player/engine/schedule.ts'

const seconds = fc.integer({ min: 1, max: 60 })
const slideId = fc.integer({ min: 1, max: 2 ** 31 - 1 })

test('a slide is shown for a time within the range, the same every time it is worked out', () => {
  fc.assert(
    fc.property(fc.string(), slideId, seconds, seconds, (seed, id, one, other) => {
      const pace = { seed, intervalMinS: Math.min(one, other), intervalMaxS: Math.max(one, other) }
      const holdMs = holdMsOf({ id, durationMs: null }, pace)
      expect(holdMs).toBeGreaterThanOrEqual(pace.intervalMinS * 1000)
      expect(holdMs).toBeLessThanOrEqual(pace.intervalMaxS * 1000)
      expect(holdMsOf({ id, durationMs: null }, pace)).toBe(holdMs)
    }),
  )
})

test('a slide’s own duration wins over the range', () => {
  const pace = { seed: 'x', intervalMinS: 5, intervalMaxS: 9 }
  expect(holdMsOf({ id: 7, durationMs: 1234 }, pace)).toBe(1234)
})

test('durations use the whole range, and another seed gives others', () => {
  const times = (seed: string) =>
    Array.from({ length: 1000 }, (_, id) =>
      holdMsOf({ id: id + 1, durationMs: null }, { seed, intervalMinS: 0, intervalMaxS: 10 }),
    )
  const tenths = Array.from({ length: 10 }, (_, tenth) =>
    times('session 5').filter((ms) => Math.min(9, Math.floor(ms / 1000)) === tenth),
  )
  for (const within of tenths) expect(within.length).toBeGreaterThan(50)
  expect(times('session 5')).not.toEqual(times('session 6'))
})

test('every round has each slide once, and none is shown twice in a row', () => {
  const rounds = fc.record({
    count: fc.integer({ min: 2, max: 120 }),
    seed: fc.string(),
    isShuffled: fc.boolean(),
  })
  fc.assert(
    fc.property(rounds, ({ count, seed, isShuffled }) => {
      let after: number | null = null
      for (let round = 0; round < 4; round += 1) {
        const order: number[] = orderOfRound({ count, seed, round, isShuffled, after })
        expect(order.toSorted((one, other) => one - other)).toEqual(
          Array.from({ length: count }, (_, index) => index),
        )
        if (isShuffled && after !== null) expect(order[0]).not.toBe(after)
        after = order.at(-1) ?? null
      }
    }),
  )
})

test('shuffling moves most slides, and another round is another order', () => {
  const indexes = Array.from({ length: 50 }, (_, index) => index)
  const first = shuffled(indexes, 'share a/round 0')
  expect(first.filter((index, position) => index === position).length).toBeLessThan(10)
  expect(shuffled(indexes, 'share a/round 1')).not.toEqual(first)
})
