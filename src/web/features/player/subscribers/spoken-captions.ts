/** Follows a show with spoken captions. A slide stays until its caption has been generated and spoken. */
import { isTicking, setSpeaking } from '../engine/show.ts'
import type { Manner, Speech } from '../outside/speech.ts'
import type { Playing } from '../playback-state.ts'

export function subscribeSpokenCaptions({ store, change }: Playing, speech: Speech): () => void {
  let turn = 0
  let hasSpoken = false

  function follow(): void {
    const { show, words, preferences, isBlackedOut } = store.read()
    if (show.turn !== turn) {
      turn = show.turn
      hasSpoken = false
      speech.stop()
    }
    const { speaksCaptions, isMuted } = preferences
    if (!speaksCaptions || isMuted || isBlackedOut) return fallSilent()
    if (!isTicking(show)) return speech.pause()
    speech.resume()
    if (hasSpoken || !speech.isAvailable) return
    if (words.text !== null) speak(words.text, preferences)
    else setWaiting(words.isPending)
  }

  function speak(text: string, manner: Manner): void {
    const spokenTurn = turn
    hasSpoken = true
    setWaiting(true)
    speech.speak(text, manner, () => {
      if (store.read().show.turn === spokenTurn) setWaiting(false)
    })
  }

  function fallSilent(): void {
    speech.stop()
    // A slide that waited for its caption continues without it.
    setWaiting(false)
  }

  /** Changes the show only if the value differs: each change notifies this subscriber again. */
  function setWaiting(isSpeaking: boolean): void {
    if (store.read().show.isSpeaking !== isSpeaking) change((now) => setSpeaking(now, isSpeaking))
  }

  const unsubscribe = store.subscribe(follow)
  follow()
  return () => {
    unsubscribe()
    speech.stop()
  }
}
