/** Follows a show with the device around it: the screen that stays on, and the keys that play and skip. */
import { isEmbedded } from '../../../embedding.ts'
import * as shows from '../engine/show.ts'
import { createMediaKeys } from '../outside/media-keys.ts'
import { createWakeLock } from '../outside/wake-lock.ts'
import type { Playing } from '../playback-state.ts'

export function subscribeDevice({ playlist, store, change }: Playing): () => void {
  // Screen and keys are those of the page that a frame stands on.
  if (isEmbedded()) return () => {}
  const wakeLock = createWakeLock()
  const keys = createMediaKeys({
    play: () => change(shows.play),
    pause: () => change(shows.pause),
    next: () => change(shows.next),
    previous: () => change(shows.previous),
  })
  let told = ''

  function follow(): void {
    const { show, isBlackedOut } = store.read()
    wakeLock.setOn(shows.isTicking(show))
    const title = isBlackedOut ? null : playlist.title
    const isPlaying = show.isRunning && !isBlackedOut
    // The keys are told of changes only: every telling is shown anew on a lock screen.
    if (told === `${title} ${isPlaying}`) return
    told = `${title} ${isPlaying}`
    keys.tell({ title, isPlaying })
  }

  const unsubscribe = store.subscribe(follow)
  follow()
  return () => {
    unsubscribe()
    wakeLock.close()
    keys.close()
  }
}
