/**
 * The name, features and settings of this site. The server writes them into the page, so that nothing moves
 * when they load; without that they are requested.
 */
import { useQuery } from '@tanstack/react-query'
import { client } from './api.ts'
import { keys } from './query-keys.ts'

type Site = Awaited<ReturnType<typeof client.site.read>>

const siteQuery = {
  queryKey: keys.site,
  queryFn: () => client.site.read(),
  initialData: siteInPage,
  // Changes are rare, and a page that is opened later has them.
  staleTime: Infinity,
}

export function useSite(): Site | undefined {
  return useQuery(siteQuery).data
}

/** Returns a function that returns the display name of a tier; an empty text until the site is known. */
export function useTierName(): (tier: keyof Site['tierNames']) => string {
  const names = useSite()?.tierNames
  return (tier) => names?.[tier] ?? ''
}

/** Returns false on a site without credits. Until the site is known, prices are shown. */
export function useHasCredits(): boolean {
  return useSite()?.credits !== 'off'
}

/** Returns undefined if the server has not written it into the page. */
export function siteInPage(): Site | undefined {
  const text = document.documentElement.dataset['site']
  // From our own server, which writes the same response.
  return text === undefined ? undefined : (JSON.parse(text) as Site)
}
