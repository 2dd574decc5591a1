/**
 * Leaves the player to the page that opened it. The player is then no longer behind that page in the
 * browser history, so the back button does not open the show again.
 */
import { useCallback } from 'react'
import { useLocation } from 'wouter'

type Steps = Pick<Navigation, 'entries' | 'currentEntry' | 'traverseTo'>
type Navigate = (path: string, options: { readonly replace: boolean }) => void

/** Returns a function that leaves the player. It opens `exit` if no earlier page can be used. */
export function useExit(exit: string): () => void {
  const [, navigate] = useLocation()
  return useCallback(() => leave(exit, navigate), [exit, navigate])
}

/** Goes back to the earlier page. Without the Navigation API, replaces the player by `exit`. */
export function leave(
  exit: string,
  navigate: Navigate,
  steps: Steps | undefined = globalThis.navigation,
): void {
  const last = steps?.entries()[(steps.currentEntry?.index ?? 0) - 1]
  if (!steps || !last?.url || leadsBackHere(last.url)) return navigate(exit, { replace: true })
  // Use the key of the entry, not `back()`: a double press must not go back two pages.
  const { committed, finished } = steps.traverseTo(last.key)
  for (const outcome of [committed, finished]) outcome?.catch(() => {})
}

/** True for players and for sign-in pages, which redirect a signed-in user to the player again. */
function leadsBackHere(url: string): boolean {
  return /^\/(login|register|play\/.*|embed\/.*|.*\/play)$/.test(new URL(url).pathname)
}
