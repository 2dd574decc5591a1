/** The time at which each frame is shown, and the largest number of frames. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnimationPlan } from '../../src/contract/animation-timeline.ts'
import { planFrames } from '../../src/contract/animation-timeline.ts'

const plan: AnimationPlan = {
  pictures: 3,
  frameMs: 100,
  effect: 'cut',
  sizePx: 256,
  format: 'webp',
}

const totalMs = (frames: readonly { delayMs: number }[]) =>
  frames.reduce((sum, { delayMs }) => sum + delayMs, 0)

test('a cut has one frame for each picture', () => {
  expect(planFrames(plan)).toEqual([
    { picture: 0, next: 1, nextShare: 0, zoom: 1, delayMs: 100 },
    { picture: 1, next: 2, nextShare: 0, zoom: 1, delayMs: 100 },
    { picture: 2, next: 0, nextShare: 0, zoom: 1, delayMs: 100 },
  ])
})

test('a crossfade holds a picture, fades into the next, and at the end into the first', () => {
  const frames = planFrames({ ...plan, pictures: 2, frameMs: 300, effect: 'crossfade' })
  expect(frames.map(({ picture, next, nextShare }) => [picture, next, nextShare])).toEqual([
    [0, 1, 0],
    [0, 1, 0.25],
    [0, 1, 0.5],
    [0, 1, 0.75],
    [1, 0, 0],
    [1, 0, 0.25],
    [1, 0, 0.5],
    [1, 0, 0.75],
  ])
  expect(frames.map(({ delayMs }) => delayMs)).toEqual([150, 50, 50, 50, 150, 50, 50, 50])
})

test('a zoom goes from all of the picture to its middle', () => {
  const frames = planFrames({ ...plan, pictures: 2, frameMs: 400, effect: 'zoom' })
  expect(frames.slice(0, 5).map(({ zoom }) => zoom)).toEqual([1, 1.05, 1.1, 1.15, 1.2])
  expect(frames.slice(5).map(({ picture }) => picture)).toEqual([1, 1, 1, 1, 1])
})

describe('for any input', () => {
  const plans = fc.record({
    pictures: fc.integer({ min: 2, max: 24 }),
    frameMs: fc.integer({ min: 40, max: 2000 }),
    effect: fc.constantFrom('cut', 'crossfade', 'zoom'),
    sizePx: fc.integer({ min: 128, max: 1024 }),
    format: fc.constantFrom('gif', 'webp'),
  }) as fc.Arbitrary<AnimationPlan>

  test('the total duration is as requested', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const frames = planFrames(plan)
        const wanted = plan.pictures * plan.frameMs
        const unit = plan.format === 'gif' ? 10 : 1
        expect(Math.abs(totalMs(frames) - wanted)).toBeLessThanOrEqual(unit / 2)
        for (const { delayMs } of frames) {
          expect(delayMs % unit).toBe(0)
          // Browsers show frames with shorter delays for a tenth of a second.
          expect(delayMs).toBeGreaterThanOrEqual(20)
        }
      }),
    )
  })

  test('frames and pixels are bounded', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const frames = planFrames(plan)
        expect(frames.length).toBeLessThanOrEqual(plan.pictures * 8)
        const pixels = frames.length * plan.sizePx ** 2
        const min = plan.pictures * 2 * plan.sizePx ** 2
        const max = plan.format === 'gif' ? 26_000_000 : 52_000_000
        expect(pixels).toBeLessThanOrEqual(Math.max(max, min))
        if (plan.effect !== 'cut') expect(frames.length).toBeGreaterThanOrEqual(2 * plan.pictures)
      }),
    )
  })

  test('every picture is seen, in order', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const seen = planFrames(plan).map(({ picture }) => picture)
        expect([...new Set(seen)]).toEqual(Array.from({ length: plan.pictures }, (_, n) => n))
        expect(seen).toEqual(seen.toSorted((one, other) => one - other))
      }),
    )
  })
})
