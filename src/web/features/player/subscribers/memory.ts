/** Follows a show to store in this browser the preferences of the viewer and the last slide. */
import { keepLastSlide } from '../outside/last-slide.ts'
import { keepPreferences, readPreferences } from '../outside/preferences.ts'
import { type Playing, slideOn } from '../playback-state.ts'

export function subscribeMemory({ playlist, store }: Playing): () => void {
  let kept = JSON.stringify(readPreferences())
  let turn = 0

  function chosen() {
    const { preferences, show } = store.read()
    const { isLooping, isShuffled, speed } = show
    return { ...preferences, isLooping, isShuffled, speed }
  }

  function follow(): void {
    const now = chosen()
    const text = JSON.stringify(now)
    if (text !== kept) keepPreferences(now)
    kept = text

    const { show } = store.read()
    if (show.turn === turn) return
    turn = show.turn
    // At the first or last slide there is nothing to resume.
    const isBetween =
      show.position !== null && show.position > 0 && show.position < show.order.length - 1
    keepLastSlide(playlist.pace.seed, isBetween ? (slideOn(playlist, show)?.id ?? null) : null)
  }

  follow()
  return store.subscribe(follow)
}
