/** The page of an unknown address. */
import { words } from './frame/words.ts'
import { usePageTitle } from './page-title.ts'
import { ButtonLink } from './ui/button.tsx'

export function NotFoundPage() {
  usePageTitle(words.nothingHere)
  return (
    <div className="m-auto grid max-w-[26rem] justify-items-center gap-3 text-center">
      <h1 className="show-voice text-2xl">{words.nothingOnSlide}</h1>
      <p className="text-balance text-ink-2">{words.nothingReason}</p>
      <ButtonLink href="/" look="lit" size="big" className="mt-3">
        {words.toStart}
      </ButtonLink>
    </div>
  )
}
