/** The title of the browser's tab, which is also the first thing a screen reader says of a page. */
import { useEffect } from 'react'

export function usePageTitle(title: string | null) {
  useEffect(() => {
    document.title = title === null ? 'Lanternist' : `${title} · Lanternist`
  }, [title])
}
