/** The price of creating a session, the balance, and the balance after it, beside the button. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useHasCredits } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../words/figures.ts'
import { sentence } from '../../words/sentence.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { usePrice } from '../accounts/prices.ts'
import { makingWords } from './making-words.ts'
import { words } from './words.ts'

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
        <Line
          label={makingWords.makingCosts}
          value={price === undefined ? '' : words.price({ count: price })}
        />
        <Line label={makingWords.youHave} value={formatNumber(balance)} />
        <Line
          label={makingWords.leftAfter}
          value={price === undefined || isShort ? '' : formatNumber(balance - price)}
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
        {isShort
          ? sentence(makingWords.tooFewCredits, {
              bonus: <BonusLink>{makingWords.bonusInSentence}</BonusLink>,
            })
          : makingWords.whenCreditsLeave}
      </p>
    </div>
  )
}

/** On a phone it sticks above the tabs, always reachable. */
export function StickyPrice({ action, isBusy }: PriceProps) {
  const { price, balance, isShort } = useSessionPrice()
  const hasCredits = useHasCredits()
  return (
    <div className="fixed inset-x-0 bottom-[62px] z-10 flex items-center gap-3 border-t border-hairline bg-mount px-page py-2.5 sm:hidden">
      {hasCredits && (
        <p className="text-xs text-ink-2">
          {isShort ? (
            <>
              {makingWords.creditsNeeded({ count: price ?? 0 })}
              <br />
              <BonusLink>{makingWords.dailyBonus}</BonusLink>
            </>
          ) : (
            sentence(makingWords.priceOfBalance, {
              price: price === undefined ? '' : formatNumber(price),
              balance: formatNumber(balance),
              break: <br />,
            })
          )}
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
    <Link href="/credits" className="text-link">
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
