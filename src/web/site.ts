/**
 * What this site is and offers. The server has written it into the page, so that nothing jumps when it
 * is known; where it has not, it is asked for.
 */
import { useQuery } from '@tanstack/react-query'
import { client } from './api.ts'
import { keys } from './query-keys.ts'

type Site = Awaited<ReturnType<typeof client.site.read>>

const siteQuery = {
  queryKey: keys.site,
  queryFn: () => client.site.read(),
  initialData: siteInPage,
  // An administrator changes it seldom, and a page that is opened then has it.
  staleTime: Infinity,
}

export function useSite(): Site | undefined {
  return useQuery(siteQuery).data
}

/** Returns how people read a tier; nothing until the site is known. */
export function useTierName(): (tier: keyof Site['tierNames']) => string {
  const names = useSite()?.tierNames
  return (tier) => names?.[tier] ?? ''
}

/** Whether anything here costs or brings credits. Until it is known, prices are shown. */
export function useHasCredits(): boolean {
  return useSite()?.credits !== 'off'
}

/** Undefined where the server has not written it into the page. */
export function siteInPage(): Site | undefined {
  const text = document.documentElement.dataset['site']
  // Written by our own server from the same answer.
  return text === undefined ? undefined : (JSON.parse(text) as Site)
}
