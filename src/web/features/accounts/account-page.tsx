/** The account: who one is here, whom one brought, and where there are credits, what one has. */
import { LanguageMenu, useLanguageEntries } from '../../frame/language-menu.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { words as frameWords } from '../../frame/words.ts'
import { usePageTitle } from '../../page-title.ts'
import { useHasCredits } from '../../site.ts'
import { chooseTheme, themeOptions, useThemeChoice } from '../../theme-choice.ts'
import { Button } from '../../ui/button.tsx'
import { Segment } from '../../ui/choice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { formatDayMonth, formatNumber } from '../../words/figures.ts'
import { LibraryPanel } from '../imports/library-panel.tsx'
import { BonusPanel } from './bonus-panel.tsx'
import { useCurrentUser, useSignOut } from './current-user.ts'
import { HistoryPanel } from './history-panel.tsx'
import { InvitePanel } from './invite-panel.tsx'
import { ProfilePanel } from './profile-panel.tsx'
import { useAgeGate } from './use-age-gate.tsx'
import { words } from './words.ts'

export function AccountPage() {
  usePageTitle(words.account)
  const signOut = useSignOut()
  const hasCredits = useHasCredits()
  return (
    <>
      <PageHead title={words.account}>
        <Button look="line" onClick={() => void signOut()}>
          {words.signOut}
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
  const credits = isLowBalance ? words.creditsBelowNumberLow : words.creditsBelowNumber
  return (
    <Panel>
      <h2 className="sr-only">{words.credits}</h2>
      <p className="text-3xl leading-none font-semibold tracking-[-0.02em] sm:text-[3.5rem]">
        {formatNumber(balance)}
      </p>
      <p className="mt-2 text-ink-2">{credits({ count: balance })}</p>
      <dl className="mt-4 flex justify-between gap-4 border-t border-hairline pt-3 text-sm">
        <dt className="text-ink-2">{words.tiers[tier]}</dt>
        <dd>{words.setAnewOn({ day: formatDayMonth(new Date(nextAllocationDate)) })}</dd>
      </dl>
    </Panel>
  )
}

function AppearancePanel() {
  const theme = useThemeChoice()
  const hasLanguages = useLanguageEntries().length > 0
  const age = useAgeGate()
  return (
    <Panel title={words.display}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{frameWords.theme}</p>
        <Segment
          label={frameWords.theme}
          options={themeOptions}
          value={theme}
          onChoose={chooseTheme}
        />
      </div>
      {hasLanguages && (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-hairline pt-4">
          <p>{frameWords.language}</p>
          <LanguageMenu align="end" />
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-hairline pt-4">
        <div>
          <p>{words.adultContent}</p>
          <p className="text-xs text-ink-3">
            {age.isVerified && words.ageConfirmed}
            {age.isRefused && words.ageRefused}
            {!age.isVerified && !age.isRefused && words.ageUnknown}
          </p>
        </div>
        {!age.isVerified && !age.isRefused && (
          <Button look="line" onClick={() => void age.confirm()}>
            {words.confirmAge}
          </Button>
        )}
      </div>
      {age.dialog}
    </Panel>
  )
}
