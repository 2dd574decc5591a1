/** The prices of features. They change rarely, so they are loaded once. */
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

/**
 * Returns undefined until the prices are loaded, for a feature without a price, and on a site without
 * credits.
 */
export function usePrice(featureKey: string): number | undefined {
  const hasCredits = useHasCredits()
  const { data: prices } = usePrices()
  if (!hasCredits) return undefined
  return prices?.find((price) => price.featureKey === featureKey)?.creditsRequired
}
