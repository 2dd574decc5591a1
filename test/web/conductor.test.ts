/** The conductor of a show advances it by any clock that it gets. */
import { expect, test } from 'vitest'
import { conduct } from '../../src/web/features/player/engine/conductor.ts'
import * as shows from '../../src/web/features/player/engine/show.ts'

function createClock() {
  let nowMs = 0
  let alarms: { atMs: number; ring: () => void }[] = []
  return {
    nowMs: () => nowMs,
    after(ms: number, ring: () => void) {
      const alarm = { atMs: nowMs + ms, ring }
      alarms.push(alarm)
      return () => void (alarms = alarms.filter((one) => one !== alarm))
    },
    pass(ms: number) {
      const untilMs = nowMs + ms
      for (let rings = 0; rings < 1000; rings += 1) {
        const due = alarms.filter(({ atMs }) => atMs <= untilMs)
        const [first] = due.sort((one, other) => one.atMs - other.atMs)
        if (!first) break
        alarms = alarms.filter((one) => one !== first)
        nowMs = first.atMs
        first.ring()
      }
      nowMs = untilMs
    },
  }
}

function beginConducting(holdsMs: readonly number[]) {
  const clock = createClock()
  const slides = holdsMs.map((holdMs, at) => ({ id: at, holdMs, endsItself: false }))
  const conductor = conduct(shows.beginShow({ slides, seed: 's', isByHand: false }), clock)
  const log: string[] = []
  conductor.subscribe(() => {
    const line = `${clock.nowMs()}: ${shows.shownIndex(conductor.read())}`
    if (log.at(-1)?.split(': ')[1] !== line.split(': ')[1]) log.push(line)
  })
  const stop = conductor.start()
  for (const [index] of holdsMs.entries()) conductor.change((show) => shows.markReady(show, index))
  return { clock, conductor, log, stop }
}

test('each slide appears when the previous one has had its time', () => {
  const { clock, log } = beginConducting([1000, 2500, 700])
  clock.pass(10_000)
  expect(log).toEqual(['0: null', '0: 0', '1000: 1', '3500: 2'])
})

test('a pause stops the clock and going on takes it up', () => {
  const { clock, conductor, log } = beginConducting([1000, 1000])
  clock.pass(600)
  conductor.change(shows.pause)
  clock.pass(5000)
  expect(conductor.elapsedMs()).toBe(600)
  conductor.change(shows.play)
  clock.pass(1000)
  expect(log.at(-1)).toBe('6000: 1')
})

test('a listener that changes the show is heard, and everyone hears of it once', () => {
  const { conductor } = beginConducting([1000, 1000])
  let heard = 0
  conductor.subscribe(() => {
    heard += 1
    if (conductor.read().speed === 1) conductor.change((show) => shows.setSpeed(show, 2))
  })
  conductor.change(shows.pause)
  expect([heard, conductor.read().speed, conductor.read().isRunning]).toEqual([2, 2, false])
})

test('once stopped nothing rings any more', () => {
  const { clock, conductor, stop } = beginConducting([1000, 1000])
  stop()
  clock.pass(10_000)
  expect(shows.shownIndex(conductor.read())).toBe(0)
})
