/** Transitions between pictures, as data: the properties that may move, the duration and the direction. */
import { expect, test } from 'vitest'
import { transitions } from '../../src/contract/transitions.ts'
import { driftOf } from '../../src/web/features/player/stage/drift.ts'
import { planTransition } from '../../src/web/features/player/stage/transitions.ts'

const usual = { step: 1, holdMs: 60_000, isReduced: false } as const

test.each(transitions)('%s moves nothing but transforms and opacity', (name) => {
  const { enter, leave } = planTransition(name, usual)
  for (const frame of [...enter, ...leave]) {
    const moved = Object.keys(frame).filter((key) => key !== 'offset' && key !== 'easing')
    for (const property of moved) expect(['transform', 'opacity']).toContain(property)
  }
})

test('each takes its time, and never more than three tenths of its slide’s', () => {
  const times = transitions.map((name) => planTransition(name, usual).durationMs)
  expect(times).toEqual([900, 620, 1000, 760, 0])
  const short = transitions.map((name) => planTransition(name, { ...usual, holdMs: 1000 }))
  for (const { durationMs } of short) expect(durationMs).toBeLessThanOrEqual(300)
})

test('with reduced motion all are a short dissolve, and a cut stays a cut', () => {
  const plans = transitions.map((name) => planTransition(name, { ...usual, isReduced: true }))
  expect(plans.map(({ durationMs }) => durationMs)).toEqual([200, 200, 200, 200, 0])
  for (const { enter } of plans) expect(enter.some((frame) => 'transform' in frame)).toBe(false)
})

test('going back slides and flips the other way', () => {
  for (const name of ['slide', 'flip'] as const) {
    const forth = planTransition(name, usual)
    const back = planTransition(name, { ...usual, step: -1 })
    expect(back.enter[0]).toEqual({
      ...forth.enter[0],
      transform: String(forth.enter[0]?.['transform']).replace(/(\d)/, '-$1'),
    })
  }
})

test('a drift stays small, has its own direction, and is the same for everyone', () => {
  const numbers = (seed: string) =>
    driftOf(seed, null).flatMap(({ transform }) => String(transform).match(/-?[\d.]+/g) ?? [])
  for (let slide = 0; slide < 50; slide += 1) {
    const [x = 0, y = 0, scale = 0] = numbers(`share/${slide}`).map(Number)
    expect(Math.hypot(x, y)).toBeLessThan(2.01)
    expect(scale).toBeLessThanOrEqual(1.06)
  }
  expect(driftOf('share/1', null)).toEqual(driftOf('share/1', null))
  expect(driftOf('share/1', null)).not.toEqual(driftOf('share/2', null))
})

test('a picture with a focus moves closer to it', () => {
  const ends = (focus: { x: number; y: number }) =>
    driftOf('share/1', focus).map(({ transform }) =>
      (String(transform).match(/-?[\d.]+/g) ?? []).map(Number),
    )
  expect(ends({ x: 0.5, y: 0.5 })).toEqual([
    [0, 0, 1],
    [0, 0, 1.06],
  ])
  // A focus on the right is centred by moving left.
  expect(ends({ x: 1, y: 0.5 })[1]).toEqual([-2, 0, 1.06])
  const [x = 0, y = 0] = ends({ x: 0, y: 1 })[1] ?? []
  expect([x > 0, y < 0, Math.hypot(x, y) <= 2.01]).toEqual([true, true, true])
})
