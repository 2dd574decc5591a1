/** The link that brings new people, and how many have come by it. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { useHasCredits } from '../../site.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useCurrentUser } from './current-user.ts'

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
    <Panel title="Invite someone">
      {hasCredits && (
        <p className="mb-3 text-sm text-ink-2">They start with 25 more, you get 10.</p>
      )}
      <CopyField label="Your link" text={url} />
      <p className="mt-3 min-h-4 text-xs text-ink-3">
        {referrals && comeByIt(referrals, hasCredits)}
      </p>
    </Panel>
  )
}

type Referrals = Awaited<ReturnType<typeof client.accounts.referrals>>

function comeByIt({ total, creditsEarned }: Referrals, hasCredits: boolean): string {
  if (total === 0) return 'Nobody has come by it yet.'
  if (!hasCredits) return total === 1 ? 'One person has come by it.' : `${total} people came by it.`
  return total === 1
    ? `One person has come by it, ${creditsEarned} credits so far.`
    : `${total} people have come by it, ${creditsEarned} credits so far.`
}
