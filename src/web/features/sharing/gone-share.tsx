/** What a link shows that has ended, or never was one. */
import { words as frameWords } from '../../frame/words.ts'
import { usePageTitle } from '../../page-title.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { words } from './words.ts'

export function GoneShare({ hasExpired }: { hasExpired: boolean }) {
  usePageTitle(frameWords.nothingHere)
  return (
    <>
      <h1 className="sr-only">{frameWords.nothingHere}</h1>
      <EmptyState
        headline={hasExpired ? words.ended : words.nothing}
        action={<ButtonLink href="/">{frameWords.toStart}</ButtonLink>}
      >
        {hasExpired ? words.askForNew : words.leadsNowhere}
      </EmptyState>
    </>
  )
}
