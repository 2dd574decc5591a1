/** What a link shows that has ended, or never was one. */
import { usePageTitle } from '../../page-title.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

export function GoneShare({ hasExpired }: { hasExpired: boolean }) {
  usePageTitle('Nothing here')
  return (
    <>
      <h1 className="sr-only">Nothing here</h1>
      <EmptyState
        headline={hasExpired ? 'This link has ended' : 'Nothing on this slide'}
        action={<ButtonLink href="/">Go to the start</ButtonLink>}
      >
        {hasExpired
          ? 'Ask whoever sent it to you for a new one.'
          : 'The link leads nowhere, or what it led to has gone.'}
      </EmptyState>
    </>
  )
}
