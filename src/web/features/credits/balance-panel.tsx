/** The balance, the plan, and the day of the next monthly allocation. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { useTierName } from '../../site.ts'
import { Panel } from '../../ui/panel.tsx'
import { formatDayMonth, formatNumber } from '../../words/figures.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { featureName } from './feature-name.ts'
import { words } from './words.ts'

export function BalancePanel() {
  const { data: user } = useCurrentUser()
  const tierName = useTierName()
  const { data: account } = useQuery({
    queryKey: keys.account.credits.balance,
    queryFn: () => client.credits.account(),
  })
  const { data: stats } = useQuery({
    queryKey: keys.account.credits.stats,
    queryFn: () => client.credits.stats(),
  })
  if (!user) return null
  const [mostUsed] = stats?.mostUsedFeatures ?? []
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
        <dt className="text-ink-2">{tierName(tier)}</dt>
        <dd>{words.resetOn({ day: formatDayMonth(new Date(nextAllocationDate)) })}</dd>
      </dl>
      <p className="mt-2 min-h-4 text-xs text-ink-3">
        {account &&
          words.lifetime({ spent: account.lifetimeSpent, earned: account.lifetimeEarned })}
      </p>
      <p className="mt-1 min-h-4 text-xs text-ink-3">
        {mostUsed &&
          words.mostUsed({ count: mostUsed.count, feature: featureName(mostUsed.feature) })}
      </p>
    </Panel>
  )
}
