/** What an address shows that leads nowhere. */
import { usePageTitle } from './page-title.ts'
import { ButtonLink } from './ui/button.tsx'

export function NotFoundPage() {
  usePageTitle('Nothing here')
  return (
    <div className="m-auto grid max-w-[26rem] justify-items-center gap-3 text-center">
      <h1 className="show-voice text-2xl">Nothing on this slide.</h1>
      <p className="text-balance text-ink-2">
        The address leads nowhere, or what it led to has gone.
      </p>
      <ButtonLink href="/" look="lit" size="big" className="mt-3">
        Go to the start
      </ButtonLink>
    </div>
  )
}
