/** What else there is to know of a session at a glance: how long it plays, when it was made, its tags. */
import { useTags } from '../../classification.ts'
import type { Session, Slide } from './session-data.ts'

type Timed = Pick<Slide, 'durationMs' | 'lengthMs' | 'type'>

export function SessionFacts({ session, media }: { session: Session; media: readonly Slide[] }) {
  const tags = useTags()
  const length = describeLength(session, media)
  const made = new Date(session.createdAt)
  return (
    <>
      <dl className="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-3">
        {length !== null && (
          <div className="flex gap-1.5">
            <dt>Plays</dt>
            <dd>{length}</dd>
          </div>
        )}
        <div className="flex gap-1.5">
          <dt>Made</dt>
          <dd>
            <time dateTime={session.createdAt}>
              {made.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })}
            </time>
          </dd>
        </div>
      </dl>
      {session.tags.length > 0 && (
        <ul aria-label="Tags" className="mt-3 flex flex-wrap gap-2">
          {session.tags.map((tag) => (
            <li key={tag} className="chip">
              {tags.find(({ slug }) => slug === tag)?.label ?? tag}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

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
