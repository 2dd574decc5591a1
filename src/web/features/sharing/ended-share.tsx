/** The page of a link that has ended or never existed. */
import { words as frameWords } from '../../frame/words.ts'
import { usePageTitle } from '../../page-title.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { words } from './end-words.ts'
import type { LinkEnd } from './link-end.ts'

export function EndedShare({ end, ofPicture = false }: { end: LinkEnd; ofPicture?: boolean }) {
  usePageTitle(frameWords.nothingHere)
  return (
    <>
      <h1 className="sr-only">{frameWords.nothingHere}</h1>
      <EmptyState
        headline={ofPicture && end === 'stopped' ? words.pictureStopped : words.headlines[end]}
        action={<ButtonLink href="/">{frameWords.toStart}</ButtonLink>}
      >
        {words.hints[end]}
      </EmptyState>
    </>
  )
}
