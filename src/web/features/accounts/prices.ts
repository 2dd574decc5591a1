/** What things cost. Prices change seldom, so they are asked for once. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { useHasCredits } from '../../site.ts'

export function usePrices() {
  return useQuery({
    enabled: useHasCredits(),
    queryKey: keys.prices,
    queryFn: () => client.credits.pricing(),
    staleTime: Infinity,
  })
}

/** Undefined until it is known, for what has no price, and where the site has no credits. */
export function usePrice(featureKey: string): number | undefined {
  const hasCredits = useHasCredits()
  const { data: prices } = usePrices()
  if (!hasCredits) return undefined
  return prices?.find((price) => price.featureKey === featureKey)?.creditsRequired
}
