/** The link that brings new people, and how many have come by it. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { words as frameWords } from '../../frame/words.ts'
import { useHasCredits } from '../../site.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useCurrentUser } from './current-user.ts'
import { words } from './words.ts'

export function InvitePanel() {
  const { data: referrals } = useQuery({
    queryKey: ['account', 'referrals'],
    queryFn: () => client.accounts.referrals(),
  })
  const hasCredits = useHasCredits()
  const { data: user } = useCurrentUser()
  if (!user) return null
  // The link is known before the count of those who came by it, and so nothing below has to move.
  const url = referrals?.referralUrl ?? `${window.location.origin}/?r=${user.referralCode}`
  return (
    <Panel title={words.invite}>
      {hasCredits && <p className="mb-3 text-sm text-ink-2">{words.inviteReward}</p>}
      <CopyField label={words.inviteLink} text={url} />
      <p className="mt-3 min-h-4 text-xs text-ink-3">
        {referrals && comeByIt(referrals, hasCredits)}
      </p>
    </Panel>
  )
}

type Referrals = Awaited<ReturnType<typeof client.accounts.referrals>>

function comeByIt({ total, creditsEarned }: Referrals, hasCredits: boolean): string {
  if (total === 0) return words.invitedNobody
  if (!hasCredits) return words.invited({ count: total })
  const credits = frameWords.creditsLeft({ count: creditsEarned })
  return words.invitedWithCredits({ count: total, credits })
}
