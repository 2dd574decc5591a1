/** Lists that are worked through a few at a time. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inLanes } from '../../src/server/platform/concurrency/lanes.ts'

test('everything is done once, and never more at a time than there are lanes', async () => {
  const done: number[] = []
  let running = 0
  let most = 0
  await inLanes(Array(20).keys(), 3, async (item) => {
    running += 1
    most = Math.max(most, running)
    await setImmediate()
    done.push(item)
    running -= 1
  })
  expect(done.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()])
  expect(most).toBe(3)
})

test('after a failure nothing new begins, and nothing runs on behind it', async () => {
  const begun: number[] = []
  let running = 0
  const work = inLanes(Array(20).keys(), 3, async (item) => {
    begun.push(item)
    running += 1
    await setImmediate()
    if (item === 4) {
      running -= 1
      throw new Error('the fifth failed')
    }
    await setImmediate()
    running -= 1
  })
  await expect(work).rejects.toThrow('the fifth failed')
  expect(running).toBe(0)
  expect(begun.length).toBeLessThan(9)
})
