/** What an account changes for whoever opens a link: how much of it plays, and what a slide costs. */
import { useSignInAddress } from '../../sign-in-address.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { words as uiWords } from '../../ui/words.ts'
import { PlayPrice } from '../sessions/play-price.tsx'
import { words } from './words.ts'

type AccountTermsProps = {
  /** How many slides play without an account; null where all of them do. */
  firstSlides: number | null
  isCharged: boolean
}

export function AccountTerms({ firstSlides, isCharged }: AccountTermsProps) {
  const signIn = useSignInAddress()
  return (
    <>
      {firstSlides !== null && (
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="text-xs text-ink-3">
            {firstSlides === 0 ? words.afterSigningIn : words.onlyFirst({ count: firstSlides })}
          </p>
          <ButtonLink href={signIn}>{uiWords.signIn}</ButtonLink>
        </div>
      )}
      {isCharged && <PlayPrice payers="members" />}
    </>
  )
}
