/**
 * What follows a show and is not needed for its first picture: captions, voice, views, memory and
 * the device. It is loaded while that picture is on its way, and catches up with what was shown.
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
