/**
 * The subscribers of a show that its first picture does not need: captions, voice, views, memory and
 * device. They load while that picture loads, and start with the current state of the show.
 */
import { createSpeech } from '../outside/speech.ts'
import type { Playing } from '../playback-state.ts'
import { subscribeCaptions } from './captions.ts'
import { subscribeDevice } from './device.ts'
import { subscribeMemory } from './memory.ts'
import { subscribeSpokenCaptions } from './spoken-captions.ts'
import { subscribeViews } from './views.ts'

export function subscribeBackground(playing: Playing): () => void {
  const ends = [
    subscribeCaptions(playing),
    subscribeSpokenCaptions(playing, createSpeech()),
    subscribeViews(playing),
    subscribeMemory(playing),
    subscribeDevice(playing),
  ]
  return () => {
    for (const end of ends) end()
  }
}
