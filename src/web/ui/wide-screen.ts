/**
 * Returns true when there is room for columns side by side: the theme's `lg`, for logic that styles cannot
 * express.
 */
import { useSyncExternalStore } from 'react'

const wide = window.matchMedia('(width >= 60rem)')

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches)
}

function subscribe(notify: () => void) {
  wide.addEventListener('change', notify)
  return () => wide.removeEventListener('change', notify)
}
