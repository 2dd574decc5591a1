/**
 * The gate of the community's pages: members pass, and guests pass if the site lets them. Other visitors read
 * that the community is for members.
 */
import type { ReactNode } from 'react'
import { PageHead } from '../../frame/page-head.tsx'
import { words as frameWords } from '../../frame/words.ts'
import { usePageTitle } from '../../page-title.ts'
import { useSignInAddress } from '../../sign-in-address.ts'
import { useSite } from '../../site.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { words as uiWords } from '../../ui/words.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { words } from './words.ts'

export function ForGuests({ children }: { children: ReactNode }) {
  const { data: user } = useCurrentUser()
  const isClosed = useSite()?.publicCommunity === false
  return user === null && isClosed ? <ForMembersOnly /> : children
}

export function ForMembersOnly() {
  usePageTitle(frameWords.community)
  const isRegistrationOpen = useSite()?.registration === 'open'
  const signInAddress = useSignInAddress()
  const registerAddress = useSignInAddress('/register')
  return (
    <>
      <PageHead title={frameWords.community} />
      <EmptyState
        headline={words.forMembers}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <ButtonLink href={signInAddress} look="lit" size="big">
              {uiWords.signIn}
            </ButtonLink>
            {isRegistrationOpen && (
              <ButtonLink href={registerAddress} look="line" size="big">
                {uiWords.createAccount}
              </ButtonLink>
            )}
          </div>
        }
      >
        {words.forMembersReason}
      </EmptyState>
    </>
  )
}
