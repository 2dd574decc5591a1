/**
 * The way out of the player: back to the page that it was opened from. The player is then no step
 * of the browser's way back, so that nobody who goes back from there is in the show again.
 */
import { useCallback } from 'react'
import { useLocation } from 'wouter'

type Steps = Pick<Navigation, 'entries' | 'currentEntry' | 'traverseTo'>
type Navigate = (path: string, options: { readonly replace: boolean }) => void

/** `exit` is for whoever opened the player by its address. */
export function useExit(exit: string): () => void {
  const [, navigate] = useLocation()
  return useCallback(() => leave(exit, navigate), [exit, navigate])
}

/** Not every browser tells of its steps; without them the player's page gives way to its exit. */
export function leave(
  exit: string,
  navigate: Navigate,
  steps: Steps | undefined = globalThis.navigation,
): void {
  const last = steps?.entries()[(steps.currentEntry?.index ?? 0) - 1]
  if (!steps || !last?.url || leadsBackHere(last.url)) return navigate(exit, { replace: true })
  // A named step, not one back: a key that is pressed twice does not go two pages back.
  const { committed, finished } = steps.traverseTo(last.key)
  for (const outcome of [committed, finished]) outcome?.catch(() => {})
}

/** Signed in, one is sent on to where one wanted to go. */
function leadsBackHere(url: string): boolean {
  return /^\/(login|register|play\/.*|embed\/.*|.*\/play)$/.test(new URL(url).pathname)
}
