/** What a frame makes of the time: its quiet hours, its clock, and where on the screen it stands. */
import type { FrameSettings } from './frames-client.ts'

type Hours = Pick<FrameSettings, 'quietFrom' | 'quietTo' | 'timeZone'>

/** Whether the screen is dark now. Hours may run over midnight; from and to the same is never. */
export function isQuiet({ quietFrom, quietTo, timeZone }: Hours, now: Date): boolean {
  if (quietFrom === null || quietTo === null || quietFrom === quietTo) return false
  const time = timeIn(timeZone, now)
  return quietFrom < quietTo
    ? time >= quietFrom && time < quietTo
    : time >= quietFrom || time < quietTo
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
