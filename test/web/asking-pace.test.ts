/** The intervals at which pages poll. */
import { expect, test } from 'vitest'
import { askAgainMs } from '../../src/web/features/imports/asking-pace.ts'

test('a page asks more and more rarely, and never stops asking', () => {
  expect([1, 2, 3, 4, 5, 2000].map(askAgainMs)).toEqual([2000, 4000, 8000, 15_000, 15_000, 15_000])
})

test('a quarter of an hour of waiting takes less than the hundred requests that an address has', () => {
  const quarterMs = 15 * 60_000
  let [looks, waitedMs] = [1, 0]
  for (; waitedMs < quarterMs && looks < 1000; looks += 1) waitedMs += askAgainMs(looks)
  expect(looks).toBeLessThan(70)
})
