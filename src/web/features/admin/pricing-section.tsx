/** The prices of features: change one, turn one off, add one. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { formatNumber } from '../../words/figures.ts'
import { ListSkeleton } from './admin-list.tsx'
import { type AdminPrice, PriceDialog } from './price-dialog.tsx'
import { words } from './setting-words.ts'
import { words as adminWords } from './words.ts'

type Asked = { readonly kind: 'change' | 'off'; readonly featureKey: string } | { kind: 'new' }

export function PricingSection() {
  const refresh = useRefreshPrices()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: keys.admin.part('pricing'),
    queryFn: () => client.credits.listPrices(),
  })
  if (!data && error) return <CannotShow error={error} onRetry={() => void refetch()} />
  if (!data) return <ListSkeleton label={words.pricesLoading} />
  const price = data.items.find(
    (one) => asked && asked.kind !== 'new' && one.featureKey === asked.featureKey,
  )
  const close = () => setAsked(null)
  return (
    <>
      <div className="mb-4">
        <Button onClick={() => setAsked({ kind: 'new' })}>{words.newPrice}</Button>
      </div>
      <PriceTable prices={data.items} onAsk={setAsked} onTurnedOn={refresh} />
      {asked?.kind === 'new' && <PriceDialog price={null} onSaved={refresh} onClose={close} />}
      {asked?.kind === 'change' && price && (
        <PriceDialog price={price} onSaved={refresh} onClose={close} />
      )}
      {asked?.kind === 'off' && price && (
        <ConfirmDialog
          question={words.turnOffQuestion({ name: price.displayName })}
          consequence={words.turnOffMeans}
          keep={words.keepIt}
          action={words.off}
          run={async () => {
            await client.credits.disablePrice({ params: { featureKey: price.featureKey } })
            await refresh()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

function PriceTable({
  prices,
  onAsk,
  onTurnedOn,
}: {
  prices: readonly AdminPrice[]
  onAsk: (asked: Asked) => void
  onTurnedOn: () => Promise<void>
}) {
  const turnOn = async (featureKey: string) => {
    try {
      await client.credits.changePrice({ params: { featureKey }, body: { isActive: true } })
      await onTurnedOn()
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <ul className="rounded-mount bg-mount px-4 py-2 shadow-mount">
      {prices.map(({ featureKey, displayName, creditsRequired, isPremiumOnly, isActive }) => (
        <li
          key={featureKey}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 border-hairline py-3 not-first:border-t"
        >
          <div className="min-w-40 grow">
            <p className="font-[560] break-words">{displayName}</p>
            <p className="text-xs break-all text-ink-3">{featureKey}</p>
          </div>
          <p className="text-sm text-ink-2">
            {isPremiumOnly && words.onlyPremium}
            {!isActive && <span className="ms-3 text-caution">{words.isOff}</span>}
          </p>
          <p className="min-w-16 text-end font-[560]">
            {formatNumber(creditsRequired)} <span className="sr-only">{words.price}</span>
          </p>
          <div className="flex gap-2 max-sm:w-full">
            <Button
              look="line"
              aria-label={adminWords.changeOne({ name: displayName })}
              onClick={() => onAsk({ kind: 'change', featureKey })}
            >
              {adminWords.change}
            </Button>
            {isActive ? (
              <Button
                look="bare"
                aria-label={words.turnOff({ name: displayName })}
                onClick={() => onAsk({ kind: 'off', featureKey })}
              >
                {words.off}
              </Button>
            ) : (
              <Button
                look="bare"
                aria-label={words.turnOn({ name: displayName })}
                onClick={() => void turnOn(featureKey)}
              >
                {words.on}
              </Button>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Reloads the prices everywhere: buttons all over the site show them. */
function useRefreshPrices(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.admin.all }),
      queryClient.invalidateQueries({ queryKey: keys.prices }),
    ])
  }
}
