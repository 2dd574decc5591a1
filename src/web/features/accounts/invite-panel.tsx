/** The link that brings new people, and how many have come by it. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Panel } from '../../ui/panel.tsx'

export function InvitePanel() {
  const { data: referrals } = useQuery({
    queryKey: ['account', 'referrals'],
    queryFn: () => client.accounts.referrals(),
  })
  if (!referrals) return null
  const { total, creditsEarned, referralUrl } = referrals
  return (
    <Panel title="Invite someone">
      <p className="mb-3 text-sm text-ink-2">They start with 25 more, you get 10.</p>
      <CopyField label="Your link" text={referralUrl} />
      <p className="mt-3 text-xs text-ink-3">
        {total === 0
          ? 'Nobody has come by it yet.'
          : `${total} ${total === 1 ? 'person has' : 'people have'} come by it, ${creditsEarned} credits so far.`}
      </p>
    </Panel>
  )
}
