/** The intervals at which pages poll. */
import { expect, test } from 'vitest'
import { pollAfterMs } from '../../src/web/features/imports/polling-interval.ts'

test('a page asks more and more rarely, and never stops asking', () => {
  expect([1, 2, 3, 4, 5, 2000].map(pollAfterMs)).toEqual([2000, 4000, 8000, 15_000, 15_000, 15_000])
})

test('a quarter of an hour of waiting takes less than the hundred requests that an address has', () => {
  const quarterMs = 15 * 60_000
  let [looks, waitedMs] = [1, 0]
  for (; waitedMs < quarterMs && looks < 1000; looks += 1) waitedMs += pollAfterMs(looks)
  expect(looks).toBeLessThan(70)
})
