/** Follows a show with the device: keeps the screen on, and connects the media keys. */
import { isEmbedded } from '../../../embedding.ts'
import * as shows from '../engine/show.ts'
import { createMediaKeys } from '../outside/media-keys.ts'
import { createWakeLock } from '../outside/wake-lock.ts'
import type { Playing } from '../playback-state.ts'

export function subscribeDevice({ playlist, store, change }: Playing): () => void {
  // In an embed, the wake lock and the media keys belong to the page around it.
  if (isEmbedded()) return () => {}
  const wakeLock = createWakeLock()
  const keys = createMediaKeys({
    play: () => change(shows.play),
    pause: () => change(shows.pause),
    next: () => change(shows.next),
    previous: () => change(shows.previous),
  })
  let sent = ''

  function follow(): void {
    const { show, isBlackedOut } = store.read()
    wakeLock.setOn(shows.isTicking(show))
    const title = isBlackedOut ? null : playlist.title
    const isPlaying = show.isRunning && !isBlackedOut
    // Update the media session only at a change: a lock screen redraws at each update.
    if (sent === `${title} ${isPlaying}`) return
    sent = `${title} ${isPlaying}`
    keys.update({ title, isPlaying })
  }

  const unsubscribe = store.subscribe(follow)
  follow()
  return () => {
    unsubscribe()
    wakeLock.close()
    keys.close()
  }
}
