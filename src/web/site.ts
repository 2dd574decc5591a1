/** What this site is and offers, as the pages go by it. */
import { useQuery } from '@tanstack/react-query'
import { client } from './api.ts'

/** Asked once: it changes when an administrator changes it, and a page that is opened later knows. */
export function useSite() {
  return useQuery({ queryKey: ['site'], queryFn: () => client.site.read(), staleTime: Infinity })
}
