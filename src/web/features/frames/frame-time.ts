/** What a frame makes of the time: its quiet hours, its clock, and where on the screen it stands. */
import type { FrameSettings } from './frames-client.ts'

type Hours = Pick<FrameSettings, 'quietFrom' | 'quietTo' | 'timeZone'>

/** Whether the screen is dark now. Hours may run over midnight; from and to the same is never. */
export function isQuiet(hours: Hours, now: Date): boolean {
  if (!hasQuietHours(hours)) return false
  const { quietFrom, quietTo } = hours
  const time = timeIn(hours.timeZone, now)
  return quietFrom < quietTo
    ? time >= quietFrom && time < quietTo
    : time >= quietFrom || time < quietTo
}

/** When a newer version may take over: while it is dark, or where it never is, for an hour at night. */
export function isUpdateTime(hours: Hours, now: Date): boolean {
  const night = { quietFrom: '03:00', quietTo: '04:00', timeZone: hours.timeZone }
  return isQuiet(hasQuietHours(hours) ? hours : night, now)
}

function hasQuietHours(hours: Hours): hours is Hours & { quietFrom: string; quietTo: string } {
  const { quietFrom, quietTo } = hours
  return quietFrom !== null && quietTo !== null && quietFrom !== quietTo
}

/** 'HH:MM' by the clock of a time zone. */
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
/** Unlike periods, so that the way around is long. */
const periodsMinutes = [47, 31] as const

/**
 * A picture and a clock that stand for years would burn in, so all of it goes slowly around: a
 * pixel or two a minute, which nobody sees.
 */
export function shiftAt(now: Date): Shift {
  const minutes = now.getTime() / 60_000
  const [xPx, yPx] = periodsMinutes.map((period) =>
    Math.round(Math.sin((minutes / period) * 2 * Math.PI) * shiftPx),
  )
  return { xPx: xPx ?? 0, yPx: yPx ?? 0 }
}
