/** The account: who one is here, whom one brought, and where there are credits, what one has. */
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { useHasCredits } from '../../site.ts'
import { chooseTheme, themeOptions, useThemeChoice } from '../../theme-choice.ts'
import { Button } from '../../ui/button.tsx'
import { Segment } from '../../ui/choice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { LibraryPanel } from '../imports/library-panel.tsx'
import { BonusPanel } from './bonus-panel.tsx'
import { useCurrentUser, useSignOut } from './current-user.ts'
import { HistoryPanel } from './history-panel.tsx'
import { InvitePanel } from './invite-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { tierNames } from './tiers.ts'
import { useAgeGate } from './use-age-gate.tsx'

export function AccountPage() {
  usePageTitle('Account')
  const signOut = useSignOut()
  const hasCredits = useHasCredits()
  return (
    <>
      <PageHead title="Account">
        <Button look="line" onClick={() => void signOut()}>
          Sign out
        </Button>
      </PageHead>
      <div className="grid max-w-[90rem] items-start gap-4 lg:grid-cols-[21rem_minmax(0,1fr)]">
        <div className="grid gap-4">
          {hasCredits && <BalancePanel />}
          {hasCredits && <BonusPanel />}
          <InvitePanel />
        </div>
        <div className="grid gap-4">
          <ProfilePanel />
          <AppearancePanel />
          <LibraryPanel />
          {hasCredits && <HistoryPanel />}
        </div>
      </div>
    </>
  )
}

function BalancePanel() {
  const { data: user } = useCurrentUser()
  if (!user) return null
  const { balance, tier, nextAllocationDate, isLowBalance } = user.credits
  const nextDay = new Date(nextAllocationDate)
  return (
    <Panel>
      <h2 className="sr-only">Credits</h2>
      <p className="text-3xl leading-none font-semibold tracking-[-0.02em] sm:text-[3.5rem]">
        {balance.toLocaleString('en')}
      </p>
      <p className="mt-2 text-ink-2">credits{isLowBalance ? ', which is not much' : ''}</p>
      <dl className="mt-4 flex justify-between gap-4 border-t border-hairline pt-3 text-sm">
        <dt className="text-ink-2">{tierNames[tier]}</dt>
        <dd>
          set anew on {nextDay.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}
        </dd>
      </dl>
    </Panel>
  )
}

function AppearancePanel() {
  const theme = useThemeChoice()
  const age = useAgeGate()
  return (
    <Panel title="Display">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>Theme</p>
        <Segment label="Theme" options={themeOptions} value={theme} onChoose={chooseTheme} />
      </div>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-hairline pt-4">
        <div>
          <p>Adult content</p>
          <p className="text-xs text-ink-3">
            {age.isVerified && 'Your age is confirmed.'}
            {age.isRefused && 'Closed: it is for people of 18 years and more.'}
            {!age.isVerified && !age.isRefused && 'Hidden until your age is confirmed.'}
          </p>
        </div>
        {!age.isVerified && !age.isRefused && (
          <Button look="line" onClick={() => void age.confirm()}>
            Confirm my age
          </Button>
        )}
      </div>
      {age.dialog}
    </Panel>
  )
}
