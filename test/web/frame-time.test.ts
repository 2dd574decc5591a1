/** A frame's use of the time: quiet hours, updates and small shifts of the picture. */
import { describe, expect, test } from 'vitest'
import { isQuiet, isUpdateTime, shiftAt } from '../../src/web/features/frames/frame-time.ts'

const at = (time: string) => new Date(`2026-11-16T${time}:00Z`)

describe('quiet hours', () => {
  const quiet = (from: string | null, to: string | null, time: string, timeZone = 'UTC') =>
    isQuiet({ quietFrom: from, quietTo: to, timeZone }, at(time))

  test('start with their first minute and end before their last', () => {
    const during = ['12:59', '13:00', '14:59', '15:00'].map((time) => quiet('13:00', '15:00', time))
    expect(during).toEqual([false, true, true, false])
  })

  test('may run over midnight', () => {
    const during = ['21:59', '22:00', '00:00', '06:59', '07:00'].map((time) =>
      quiet('22:00', '07:00', time),
    )
    expect(during).toEqual([false, true, true, true, false])
  })

  test('go by the frame’s own time zone', () => {
    expect(quiet('22:00', '07:00', '13:30', 'Asia/Tokyo')).toBe(true)
    expect(quiet('22:00', '07:00', '13:30', 'Europe/Berlin')).toBe(false)
  })

  test('are none where one end is missing or both are the same', () => {
    expect(quiet(null, '07:00', '03:00')).toBe(false)
    expect(quiet('22:00', null, '23:00')).toBe(false)
    expect(quiet('22:00', '22:00', '22:00')).toBe(false)
  })
})

test('a newer version is loaded in quiet hours, or at night without quiet hours', () => {
  const comes = (quietFrom: string | null, time: string, timeZone = 'UTC') =>
    isUpdateTime({ quietFrom, quietTo: '07:00', timeZone }, at(time))
  expect(['02:59', '03:00', '03:59', '04:00'].map((time) => comes(null, time))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(['03:30', '05:30', '21:00', '22:30'].map((time) => comes('22:00', time))).toEqual([
    true,
    true,
    false,
    true,
  ])
  expect(comes(null, '18:30', 'Asia/Tokyo')).toBe(true)
  expect(comes('07:00', '03:30')).toBe(true)
})

test('the picture drifts a little, and never far at once', () => {
  const minutes = Array.from({ length: 2000 }, (_, minute) =>
    shiftAt(new Date(1_800_000_000_000 + minute * 60_000)),
  )
  expect(new Set(minutes.map(({ xPx, yPx }) => `${xPx} ${yPx}`)).size).toBeGreaterThan(100)
  for (const [index, { xPx, yPx }] of minutes.entries()) {
    expect(Math.max(Math.abs(xPx), Math.abs(yPx))).toBeLessThanOrEqual(12)
    const before = minutes[index - 1]
    if (before) expect(Math.abs(xPx - before.xPx)).toBeLessThanOrEqual(3)
  }
})
