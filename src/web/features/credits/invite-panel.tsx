/** The invitation link, as text and QR code, and the people who registered with it. */
import { useQuery } from '@tanstack/react-query'
import { QrCode as QrIcon } from 'lucide-react'
import { Suspense, useState } from 'react'
import { client } from '../../api.ts'
import { words as frameWords } from '../../frame/words.ts'
import { lazyPart } from '../../parts.ts'
import { keys } from '../../query-keys.ts'
import { useHasCredits } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { formatDay } from '../../words/figures.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { words } from './words.ts'

const QrCode = lazyPart(async () => (await import('../../ui/qr-code.tsx')).QrCode)

type Referrals = Awaited<ReturnType<typeof client.accounts.referrals>>

export function InvitePanel() {
  const { data: referrals } = useQuery({
    queryKey: keys.account.referrals,
    queryFn: () => client.accounts.referrals(),
  })
  const hasCredits = useHasCredits()
  const [isQrShown, setIsQrShown] = useState(false)
  const { data: user } = useCurrentUser()
  if (!user) return null
  // The link is built here until the count of invited people is loaded, so that nothing below moves.
  const url = referrals?.referralUrl ?? `${window.location.origin}/?r=${user.referralCode}`
  return (
    <Panel title={words.invite}>
      {hasCredits && <p className="mb-3 text-sm text-ink-2">{words.inviteReward}</p>}
      <CopyField label={words.inviteLink} text={url} />
      <Button
        look="bare"
        size="small"
        className="mt-2 -ms-2.5"
        icon={<QrIcon size={16} aria-hidden="true" />}
        aria-expanded={isQrShown}
        onClick={() => setIsQrShown(!isQrShown)}
      >
        {isQrShown ? words.hideQr : words.showQr}
      </Button>
      {isQrShown && (
        <div className="mt-3 min-h-[17rem]">
          <Suspense>
            <QrCode text={url} label={words.inviteQr} fileName="invitation" />
          </Suspense>
        </div>
      )}
      <p className="mt-2 min-h-4 text-xs text-ink-3">
        {referrals && comeByIt(referrals, hasCredits)}
      </p>
      {referrals && referrals.recent.length > 0 && <Guests recent={referrals.recent} />}
    </Panel>
  )
}

function Guests({ recent }: Pick<Referrals, 'recent'>) {
  return (
    <>
      <h3 className="mt-3 text-sm font-[560]">{words.recentGuests}</h3>
      <ul className="mt-1 text-sm">
        {recent.map(({ firstName, joinedAt }) => (
          <li key={joinedAt} className="flex justify-between gap-4 py-1">
            <bdi className="min-w-0 truncate">{firstName ?? words.someone}</bdi>
            <span className="shrink-0 text-ink-3">{formatDay(new Date(joinedAt))}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function comeByIt({ total, creditsEarned }: Referrals, hasCredits: boolean): string {
  if (total === 0) return words.invitedNobody
  if (!hasCredits) return words.invited({ count: total })
  const credits = frameWords.creditsLeft({ count: creditsEarned })
  return words.invitedWithCredits({ count: total, credits })
}
