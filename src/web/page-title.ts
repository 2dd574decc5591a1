/** Sets the title of the browser's tab, which a screen reader reads first. */
import { useEffect } from 'react'
import { useSite } from './site.ts'

export function usePageTitle(title: string | null) {
  const siteName = useSite()?.name ?? 'Lanternist'
  useEffect(() => {
    document.title = title === null ? siteName : `${title} · ${siteName}`
  }, [title, siteName])
}
