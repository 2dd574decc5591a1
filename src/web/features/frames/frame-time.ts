/** Computes from the time whether a frame is in quiet hours, its clock, and its position on the screen. */
import type { FrameSettings } from './frames-client.ts'

type Hours = Pick<FrameSettings, 'quietFrom' | 'quietTo' | 'timeZone'>

/** Returns true in quiet hours. They may include midnight; equal start and end mean none. */
export function isQuiet(hours: Hours, now: Date): boolean {
  if (!hasQuietHours(hours)) return false
  const { quietFrom, quietTo } = hours
  const time = timeIn(hours.timeZone, now)
  return quietFrom < quietTo
    ? time >= quietFrom && time < quietTo
    : time >= quietFrom || time < quietTo
}

/** Returns true when an update may be installed: in quiet hours, or without any, for an hour at night. */
export function isUpdateTime(hours: Hours, now: Date): boolean {
  const night = { quietFrom: '03:00', quietTo: '04:00', timeZone: hours.timeZone }
  return isQuiet(hasQuietHours(hours) ? hours : night, now)
}

function hasQuietHours(hours: Hours): hours is Hours & { quietFrom: string; quietTo: string } {
  const { quietFrom, quietTo } = hours
  return quietFrom !== null && quietTo !== null && quietFrom !== quietTo
}

/** Returns the time as 'HH:MM' in a time zone. */
function timeIn(timeZone: string, now: Date): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(now)
}

export type Shift = { readonly xPx: number; readonly yPx: number }

const shiftPx = 12
/** Periods without a common factor, so that the path repeats late. */
const periodsMinutes = [47, 31] as const

/** Shifts everything slowly to prevent burn-in: a pixel or two a minute, which viewers do not notice. */
export function shiftAt(now: Date): Shift {
  const minutes = now.getTime() / 60_000
  const [xPx, yPx] = periodsMinutes.map((period) =>
    Math.round(Math.sin((minutes / period) * 2 * Math.PI) * shiftPx),
  )
  return { xPx: xPx ?? 0, yPx: yPx ?? 0 }
}
