/** Describes the approximate length of a session. */
import type { Session, Slide } from './session-data.ts'
import { words } from './words.ts'

type Timed = Pick<Slide, 'durationMs' | 'lengthMs' | 'type'>

/** Returns null for a session in manual mode or without slides. */
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
  return seconds < 60
    ? words.aboutSeconds({ count: seconds })
    : words.aboutMinutes({ count: Math.round(seconds / 60) })
}
