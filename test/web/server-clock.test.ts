/** The server's clock as a page computes it: correct with slow connections and a wrong local clock. */
import { expect, test } from 'vitest'
import { createServerClock } from '../../src/web/features/rooms/server-clock.ts'

/** Returns a machine, a server, and a connection between them with the given delays. */
function createLine(trips: readonly (readonly [number, number])[], { aheadMs = 90_000 } = {}) {
  let localMs = 1000
  let trip = 0
  const line = {
    nowMs: () => localMs,
    serverMs: () => localMs + aheadMs,
    pass: (ms: number) => void (localMs += ms),
    ask: async () => {
      const [there, back] = trips[(trip += 1) % trips.length] ?? [0, 0]
      localMs += there
      const answer = line.serverMs()
      localMs += back
      return answer
    },
  }
  return line
}

test('a clock that is wrong by a minute and a half is set at once', async () => {
  const line = createLine([[5, 5]])
  const clock = createServerClock(line.ask, line.nowMs)
  await clock.sync()
  expect(Math.abs(clock.nowMs() - line.serverMs())).toBeLessThan(1)
})

test('slow answers are not believed beside fast ones', async () => {
  const line = createLine([
    [5, 5],
    [10, 300],
    [250, 10],
    [4, 6],
    [7, 7],
  ])
  const clock = createServerClock(line.ask, line.nowMs)
  await clock.sync()
  expect(Math.abs(clock.nowMs() - line.serverMs())).toBeLessThan(5)
})

test('a better guess moves the clock gently, and never back', async () => {
  const trips: [number, number][] = [[10, 150]]
  const line = createLine(trips)
  const clock = createServerClock(line.ask, line.nowMs)
  await clock.sync()
  const offBefore = Math.abs(clock.nowMs() - line.serverMs())
  expect(offBefore).toBeGreaterThan(50)
  trips[0] = [5, 5]
  await clock.sync()
  let before = clock.nowMs()
  for (let second = 0; second < 10; second += 1) {
    line.pass(1000)
    const now = clock.nowMs()
    expect(now - before).toBeGreaterThan(975)
    expect(now - before).toBeLessThan(1025)
    before = now
  }
  expect(Math.abs(clock.nowMs() - line.serverMs())).toBeLessThan(2)
})

test('without an answer the clock continues as before', async () => {
  const line = createLine([[5, 5]])
  let isAway = false
  const ask = () => (isAway ? Promise.reject(new Error('away')) : line.ask())
  const clock = createServerClock(ask, line.nowMs)
  await clock.sync()
  isAway = true
  await clock.sync()
  line.pass(5000)
  expect(Math.abs(clock.nowMs() - line.serverMs())).toBeLessThan(1)
})
