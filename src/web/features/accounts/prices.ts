/** What things cost. Prices change seldom, so they are asked for once. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api.ts'

/** Undefined until it is known, and for what has no price. */
export function usePrice(featureKey: string): number | undefined {
  const { data: prices } = useQuery({
    queryKey: ['prices'],
    queryFn: () => client.credits.pricing(),
    staleTime: Infinity,
  })
  return prices?.find((price) => price.featureKey === featureKey)?.creditsRequired
}
