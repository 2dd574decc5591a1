/** What making a session costs, what one has, and what is left: beside the button that spends it. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useHasCredits } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { usePrice } from '../accounts/prices.ts'

type PriceProps = { action: string; isBusy: boolean }

export function PricePanel({ action, isBusy }: PriceProps) {
  const { price, balance, isShort } = useSessionPrice()
  const hasCredits = useHasCredits()
  if (!hasCredits)
    return (
      <Button type="submit" look="lit" size="big" className="w-full max-sm:hidden" isBusy={isBusy}>
        {action}
      </Button>
    )
  return (
    <div className="rounded-mount bg-mount p-5 shadow-mount max-sm:hidden">
      <dl className="grid gap-3 text-sm">
        <Line label="Making this session" value={price === undefined ? '' : `${price} credits`} />
        <Line label="You have" value={balance.toLocaleString('en')} />
        <Line
          label="Left after"
          value={price === undefined || isShort ? '' : (balance - price).toLocaleString('en')}
        />
      </dl>
      <Button
        type="submit"
        look="lit"
        size="big"
        className="mt-4 w-full"
        isBusy={isBusy}
        disabled={isShort}
      >
        {action}
      </Button>
      <p className="mt-3 text-xs text-ink-3">
        {isShort ? (
          <>
            You have too few credits. The <BonusLink>daily bonus</BonusLink> and the monthly
            allocation bring new ones.
          </>
        ) : (
          'Credits leave only when the session exists. If nothing can be found, they come back.'
        )}
      </p>
    </div>
  )
}

/** On a phone it stands above the tabs, always in reach. */
export function StickyPrice({ action, isBusy }: PriceProps) {
  const { price, balance, isShort } = useSessionPrice()
  const hasCredits = useHasCredits()
  return (
    <div className="fixed inset-x-0 bottom-[62px] z-10 flex items-center gap-3 border-t border-hairline bg-mount px-page py-2.5 sm:hidden">
      {hasCredits && (
        <p className="text-xs text-ink-2">
          {isShort
            ? `${price} credits needed`
            : `${price ?? ''} of ${balance.toLocaleString('en')}`}
          <br />
          {isShort ? <BonusLink>Daily bonus</BonusLink> : 'credits'}
        </p>
      )}
      <Button type="submit" look="lit" className="grow" isBusy={isBusy} disabled={isShort}>
        {action}
      </Button>
    </div>
  )
}

function useSessionPrice() {
  const { data: user } = useCurrentUser()
  const price = usePrice('session_create')
  const balance = user?.credits.balance ?? 0
  return { price, balance, isShort: price !== undefined && balance < price }
}

function BonusLink({ children }: { children: ReactNode }) {
  return (
    <Link href="/account" className="text-link">
      {children}
    </Link>
  )
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-h-5 font-[560]">{value}</dd>
    </div>
  )
}
