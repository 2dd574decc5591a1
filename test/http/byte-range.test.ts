// The meaning of a Range header for a file of a certain size, by RFC 9110.

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseByteRange } from '../../src/server/http/media/byte-range.ts'
import type { RequestedRange } from '../../src/server/http/media/byte-range.ts'

const whole = { kind: 'whole' }
const unsatisfiable = { kind: 'unsatisfiable' }
const part = (start: number, end: number) => ({ kind: 'part', start, end })

test.each([
  ['bytes=0-0', part(0, 0)],
  ['bytes=0-', part(0, 999)],
  ['bytes=0-999', part(0, 999)],
  ['bytes=0-5000', part(0, 999)],
  ['bytes=500-599', part(500, 599)],
  ['bytes=999-', part(999, 999)],
  ['bytes=-1', part(999, 999)],
  ['bytes=-1000', part(0, 999)],
  ['bytes=-5000', part(0, 999)],
  ['BYTES=1-2', part(1, 2)],
  ['bytes= 1-2 ', part(1, 2)],
  ['bytes=007-008', part(7, 8)],
  [`bytes=0-${'9'.repeat(400)}`, part(0, 999)],
  [`bytes=-${'9'.repeat(400)}`, part(0, 999)],
])('%s of 1000 bytes is a range that can be sent', (header, expected) => {
  expect(parseByteRange(header, 1000)).toEqual(expected)
})

test.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
  '%s of 1000 bytes cannot be satisfied',
  (header) => {
    expect(parseByteRange(header, 1000)).toEqual(unsatisfiable)
  },
)

test.each([
  undefined,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=5-4',
  'bytes=0-1,5-6',
  'bytes=0-1,',
  'bytes=a-b',
  'bytes=1.5-2',
  'bytes=0x1-2',
  'bytes=--1',
  'bytes=+1-2',
  'bytes=1-2-3',
  'bytes 0-1',
  'bytes =0-1',
  'items=0-1',
  'bytes=0-1\nbytes=2-3',
  'bytes=１-２',
])('%s is ignored, so the whole file is sent', (header) => {
  expect(parseByteRange(header, 1000)).toEqual(whole)
})

test('an empty file has no range to send', () => {
  expect(parseByteRange('bytes=0-', 0)).toEqual(unsatisfiable)
  expect(parseByteRange('bytes=0-0', 0)).toEqual(unsatisfiable)
  expect(parseByteRange('bytes=-5', 0)).toEqual(whole)
  expect(parseByteRange(undefined, 0)).toEqual(whole)
})

test('for any header, a range lies within the file and in order', () => {
  const header = fc.oneof(
    fc.tuple(fc.nat(), fc.nat()).map(([first, last]) => `bytes=${first}-${last}`),
    fc.nat().map((count) => `bytes=-${count}`),
    fc.stringMatching(/^bytes=[\d, -]{0,12}$/),
    fc.string(),
  )
  fc.assert(
    fc.property(header, fc.nat({ max: 5000 }), (text, sizeBytes) => {
      expect(liesWithin(parseByteRange(text, sizeBytes), sizeBytes)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

function liesWithin(range: RequestedRange, sizeBytes: number): boolean {
  if (range.kind !== 'part') return true
  return 0 <= range.start && range.start <= range.end && range.end < sizeBytes
}
