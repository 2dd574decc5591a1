/** How long a session plays, in words, as far as that is known before it does. */
import type { Session, Slide } from './session-data.ts'

type Timed = Pick<Slide, 'durationMs' | 'lengthMs' | 'type'>

/** Null where slides are turned by hand, or there are none. */
export function describeLength(
  session: Pick<Session, 'intervalMin' | 'intervalMax' | 'isManualMode'>,
  media: readonly Timed[],
): string | null {
  if (session.isManualMode || media.length === 0) return null
  const usualMs = ((session.intervalMin + session.intervalMax) / 2) * 1000
  const totalMs = media.reduce(
    (sum, { durationMs, lengthMs, type }) =>
      sum + (durationMs ?? (type === 'video' ? lengthMs : null) ?? usualMs),
    0,
  )
  const seconds = Math.round(totalMs / 1000)
  if (seconds < 60) return seconds === 1 ? 'about 1 second' : `about ${seconds} seconds`
  const minutes = Math.round(seconds / 60)
  return minutes === 1 ? 'about 1 minute' : `about ${minutes} minutes`
}
