/** Follows a show with a voice: a slide whose caption is spoken, or will be, waits for it. */
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
    // A slide that waited for words goes on without them.
    setWaiting(false)
  }

  /** Only a change is told: the show answers each by telling of itself. */
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
