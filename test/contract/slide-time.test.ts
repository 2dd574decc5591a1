/** The current slide of a room: every client computes the same one, and its position never exceeds its time. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomFrom } from '../../src/contract/random.ts'
import type { Timeline } from '../../src/contract/slide-time.ts'
import { intervalMsOf, runningSlide, slideMsOf } from '../../src/contract/slide-time.ts'
import { holdMsOf } from '../../src/web/features/player/engine/schedule.ts'

/** Test vectors for other implementations of the contract. */
const vectors = [
  { seed: 'seed', id: 1, u: 0.9275726350024343 },
  { seed: 'b7d0', id: 42, u: 0.07433321513235569 },
  { seed: 'Größe 👍', id: 2_147_483_647, u: 0.15673877228982747 },
]

/** Computes the value exactly as the contract describes it. */
function chanceByTheContract(text: string): number {
  const mix = (value: number) => {
    let v = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
    v = Math.imul(v ^ (v >>> 15), 0x735a2d97)
    return (v ^ (v >>> 15)) >>> 0
  }
  let h = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193)
  return mix((mix(h) + 0x9e3779b9) | 0) / 2 ** 32
}

const slide = fc.record({
  id: fc.integer({ min: 1, max: 1000 }),
  type: fc.constantFrom('image', 'gif', 'video'),
  durationMs: fc.option(fc.integer({ min: 100, max: 5000 })),
  lengthMs: fc.option(fc.integer({ min: 1, max: 900_000 })),
})
const slides = fc.array(slide, { minLength: 1, maxLength: 12 })
const timeline = fc
  .record({
    slide: fc.nat({ max: 11 }),
    slideStartedAt: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }),
    seed: fc.string(),
    speed: fc.constantFrom(0.25, 0.5, 1, 1.5, 2, 4),
    bounds: fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 })),
    loop: fc.boolean(),
  })
  .map(({ bounds, loop, ...rest }): Timeline => {
    const settings = { intervalMin: Math.min(...bounds), intervalMax: Math.max(...bounds), loop }
    return { ...rest, status: 'playing', positionMs: 0, settings }
  })
const laterMs = fc.integer({ min: 0, max: 12 * 3600 * 1000 })

test('random numbers follow the contract', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(randomFrom(text)()).toBe(chanceByTheContract(text))
    }),
  )
})

test('known seeds return known numbers', () => {
  expect(vectors.map(({ seed, id }) => randomFrom(`${seed}/${id}`)())).toEqual(
    vectors.map(({ u }) => u),
  )
})

test('a picture is shown for as long in a room as in the player', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1 }), (seed, id) => {
      const pace = { seed, intervalMin: 3, intervalMax: 10 }
      const holdMs = holdMsOf({ id, durationMs: null }, { seed, intervalMinS: 3, intervalMaxS: 10 })
      expect(intervalMsOf(id, pace)).toBe(holdMs)
    }),
  )
})

test('the current slide started when the previous one ended, and has not ended', () => {
  fc.assert(
    fc.property(timeline, slides, laterMs, (state, shown, ms) => {
      const nowMs = state.slideStartedAt + ms
      const on = runningSlide(state, shown, nowMs)
      const lasts = slideMsOf(shown[on.slide]!, state)
      expect(on.slideStartedAt).toBeLessThanOrEqual(nowMs + 0.01)
      expect(on.positionMs).toBeLessThanOrEqual(lasts)
      if (on.endsAt === null) {
        expect([on.slide, state.settings.loop]).toEqual([shown.length - 1, false])
        return
      }
      expect(on.endsAt).toBeGreaterThan(nowMs - 0.01)
      expect(on.endsAt - on.slideStartedAt).toBeCloseTo(lasts / state.speed, 3)
      const next = runningSlide(state, shown, on.endsAt + 0.05)
      expect(next.slide).toBe((on.slide + 1) % shown.length)
      expect(next.slideStartedAt).toBeCloseTo(on.endsAt, 3)
    }),
  )
})

test('moving a state to its current slide does not change later results', () => {
  fc.assert(
    fc.property(timeline, slides, laterMs, laterMs, (state, shown, first, second) => {
      const moved = { ...state, ...runningSlide(state, shown, state.slideStartedAt + first) }
      // At the exact border both slides are valid, so the test looks half a millisecond later.
      const nowMs = state.slideStartedAt + first + second + 0.5
      const [before, after] = [state, moved].map((one) => runningSlide(one, shown, nowMs))
      const isAtBorder =
        Math.abs((before?.endsAt ?? 0) - nowMs) < 0.1 ||
        Math.abs((before?.slideStartedAt ?? 0) - nowMs) < 0.1
      if (!isAtBorder) expect(after?.slide).toBe(before?.slide)
    }),
  )
})

test('a paused room stays at its position, and a slide beyond the end becomes the last', () => {
  fc.assert(
    fc.property(timeline, slides, laterMs, (state, shown, ms) => {
      const paused = { ...state, status: 'paused' as const, positionMs: 70 }
      const on = runningSlide(paused, shown, state.slideStartedAt + ms)
      expect(on).toEqual({
        slide: Math.min(state.slide, shown.length - 1),
        slideStartedAt: state.slideStartedAt,
        positionMs: 70,
        endsAt: null,
      })
    }),
  )
  expect(runningSlide({ ...empty, slide: 3 }, [], 5).slide).toBe(0)
})

test('a film plays for its length, ten minutes at most, and an animation as long as a picture', () => {
  const film = { id: 1, type: 'video', durationMs: null, lengthMs: 7000 } as const
  const of = (change: object) => slideMsOf({ ...film, ...change }, empty)
  expect(of({})).toBe(7000)
  expect(of({ lengthMs: 3_600_000 })).toBe(600_000)
  expect(of({ durationMs: 900 })).toBe(900)
  for (const other of [{ type: 'gif' }, { lengthMs: null }]) expect(of(other)).toBe(5000)
})

const empty: Timeline = {
  status: 'playing',
  slide: 0,
  slideStartedAt: 0,
  positionMs: 0,
  seed: 'seed',
  speed: 1,
  settings: { intervalMin: 5, intervalMax: 5, loop: false },
}
