/** The visitor's choice of theme. public/theme.js applies it. */
import { useSyncExternalStore } from 'react'
import { words } from './frame/words.ts'

export type ThemeChoice = 'system' | 'dark' | 'light'

export const themeOptions: readonly { value: ThemeChoice; label: string }[] = [
  { value: 'system', label: words.themes.system },
  { value: 'dark', label: words.themes.dark },
  { value: 'light', label: words.themes.light },
]

const storageKey = 'lanternist_theme'
const changeEvent = 'lanternist-theme'

export function chooseTheme(choice: ThemeChoice) {
  try {
    if (choice === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, choice)
  } catch {
    // A browser can block storage; then the system's theme applies.
  }
  window.dispatchEvent(new Event(changeEvent))
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, currentChoice)
}

function currentChoice(): ThemeChoice {
  try {
    const saved = localStorage.getItem(storageKey)
    return saved === 'dark' || saved === 'light' ? saved : 'system'
  } catch {
    return 'system'
  }
}

function subscribe(onChange: () => void) {
  window.addEventListener('storage', onChange)
  window.addEventListener(changeEvent, onChange)
  return () => {
    window.removeEventListener('storage', onChange)
    window.removeEventListener(changeEvent, onChange)
  }
}
