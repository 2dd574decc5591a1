/** A button with its price, and the balance before and after. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../words/figures.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { usePrice } from '../accounts/prices.ts'
import { words } from './words.ts'

export function PaidButton({
  featureKey,
  isBusy,
  isDisabled,
  onPress,
  children,
}: {
  featureKey: string
  isBusy: boolean
  isDisabled: boolean
  onPress: () => void
  children: ReactNode
}) {
  const { data: user } = useCurrentUser()
  const price = usePrice(featureKey)
  const balance = user?.credits.balance ?? 0
  const isShort = price !== undefined && balance < price
  return (
    <div className="grid gap-2.5">
      <Button
        look="lit"
        size="big"
        className="w-full"
        isBusy={isBusy}
        disabled={isDisabled || isShort}
        price={price === undefined ? undefined : words.price({ count: price })}
        onClick={onPress}
      >
        {children}
      </Button>
      {price !== undefined && (
        <p className="text-xs text-ink-3">
          {isShort ? (
            <>
              {words.tooFewCredits({ needed: price, balance })}{' '}
              <Link href="/account" className="text-link">
                {words.getCredits}
              </Link>
            </>
          ) : (
            words.balanceAfter({
              before: formatNumber(balance),
              after: formatNumber(balance - price),
            })
          )}
        </p>
      )}
    </div>
  )
}
