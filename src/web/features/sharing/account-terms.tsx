/** The terms for visitors of a link: how much plays without an account, and the price per slide. */
import { useSignInAddress } from '../../sign-in-address.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { words as uiWords } from '../../ui/words.ts'
import { PlayPrice } from '../sessions/play-price.tsx'
import { words } from './words.ts'

type AccountTermsProps = {
  /** The number of slides that play without an account; null when all do. */
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
