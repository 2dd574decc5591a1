/** The title of the browser's tab, which is also the first thing a screen reader says of a page. */
import { useEffect } from 'react'
import { useSite } from './site.ts'

export function usePageTitle(title: string | null) {
  const siteName = useSite()?.name ?? 'Lanternist'
  useEffect(() => {
    document.title = title === null ? siteName : `${title} · ${siteName}`
  }, [title, siteName])
}
