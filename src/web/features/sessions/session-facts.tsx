/** Facts about a session: its length, its date, its tags. */
import { useTags } from '../../classification/classification.ts'
import { words as classificationWords } from '../../classification/words.ts'
import { formatDay } from '../../words/figures.ts'
import type { Session, Slide } from './session-data.ts'
import { describeLength } from './session-length.ts'
import { words } from './words.ts'

export function SessionFacts({ session, media }: { session: Session; media: readonly Slide[] }) {
  const tags = useTags()
  const length = describeLength(session, media)
  return (
    <>
      <dl className="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-3">
        {length !== null && (
          <div className="flex gap-1.5">
            <dt>{words.plays}</dt>
            <dd>{length}</dd>
          </div>
        )}
        <div className="flex gap-1.5">
          <dt>{words.made}</dt>
          <dd>
            <time dateTime={session.createdAt}>{formatDay(new Date(session.createdAt))}</time>
          </dd>
        </div>
      </dl>
      {session.tags.length > 0 && (
        <ul aria-label={classificationWords.tags} className="mt-3 flex flex-wrap gap-2">
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
