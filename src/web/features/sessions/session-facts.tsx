/** What else there is to know of a session at a glance: how long it plays, when it was made, its tags. */
import { useTags } from '../../classification.ts'
import type { Session, Slide } from './session-data.ts'
import { describeLength } from './session-length.ts'

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
