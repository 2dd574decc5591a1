/** Whether there is room for columns beside each other: `lg` of the theme, for what styles cannot do. */
import { useSyncExternalStore } from 'react'

const wide = window.matchMedia('(width >= 60rem)')

export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches)
}

function subscribe(notify: () => void) {
  wide.addEventListener('change', notify)
  return () => wide.removeEventListener('change', notify)
}
