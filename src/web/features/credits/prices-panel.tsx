/** The prices on this site, the highest first. */
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatNumber } from '../../words/figures.ts'
import { usePrices } from '../accounts/prices.ts'
import { featureName } from './feature-name.ts'
import { words } from './words.ts'

export function PricesPanel() {
  const { data: prices, error, refetch } = usePrices()
  return (
    <Panel title={words.prices}>
      {!prices && !error && (
        <Waiting label={words.pricesLoading}>
          <Skeleton className="h-96" />
        </Waiting>
      )}
      {error && <CannotShow error={error} onRetry={() => void refetch()} />}
      <dl className="text-sm">
        {prices
          ?.toSorted((one, other) => other.creditsRequired - one.creditsRequired)
          .map(({ featureKey, displayName, creditsRequired, isPremiumOnly }) => (
            <div
              key={featureKey}
              className="flex justify-between gap-4 border-t border-hairline py-2 first:border-0"
            >
              <dt>
                {featureName(featureKey, displayName)}
                {isPremiumOnly && (
                  <span className="block text-xs text-ink-3">{words.paidTierOnly}</span>
                )}
              </dt>
              <dd className="font-[560]">{formatNumber(creditsRequired)}</dd>
            </div>
          ))}
      </dl>
    </Panel>
  )
}
