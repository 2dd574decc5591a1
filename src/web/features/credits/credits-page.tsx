/** The credits page: balance, spending, movements, prices, and the ways to get more. */
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { useHasCredits, useSite } from '../../site.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { BonusPanel } from './bonus-panel.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { InvitePanel } from './invite-panel.tsx'
import { PaymentsPanel } from './payments-panel.tsx'
import { PricesPanel } from './prices-panel.tsx'
import { SpendingPanel } from './spending-panel.tsx'
import { words } from './words.ts'

export function CreditsPage() {
  usePageTitle(words.credits)
  const hasCredits = useHasCredits()
  const canBuy = (useSite()?.paymentMethods.length ?? 0) > 0
  if (!hasCredits)
    return (
      <>
        <h1 className="sr-only">{words.none}</h1>
        <EmptyState headline={words.none}>{words.noneReason}</EmptyState>
      </>
    )
  return (
    <>
      <PageHead title={words.credits}>
        {canBuy && (
          <ButtonLink href="/credits/buy" look="lit">
            {words.buy}
          </ButtonLink>
        )}
      </PageHead>
      <div className="grid max-w-[110rem] items-start gap-4 lg:grid-cols-[21rem_minmax(0,1fr)]">
        {/* On a phone there is one column, with the movements before the reference panels. */}
        <div className="grid gap-4 max-lg:contents">
          <BalancePanel />
          <BonusPanel />
          <div className="grid gap-4 max-lg:order-last">
            <InvitePanel />
            <PricesPanel />
          </div>
        </div>
        <div className="grid gap-4 max-lg:contents">
          <SpendingPanel />
          <HistoryPanel />
          <PaymentsPanel />
        </div>
      </div>
    </>
  )
}
