/** Subscribers of a show: the shared state, and the voice that pauses with it. */
import { expect, test } from 'vitest'
import { conduct } from '../../src/web/features/player/engine/conductor.ts'
import * as shows from '../../src/web/features/player/engine/show.ts'
import { firstPreferences } from '../../src/web/features/player/outside/preferences.ts'
import type { PlaybackState } from '../../src/web/features/player/playback-state.ts'
import { createStore } from '../../src/web/features/player/store.ts'
import { subscribeSpokenCaptions } from '../../src/web/features/player/subscribers/spoken-captions.ts'
import { playlistOfSlides } from '../support/web-playlist.ts'

test('all listeners are notified of a change, also of one by a listener', () => {
  const store = createStore({ one: 1, other: 0 })
  const heard: string[] = []
  store.subscribe(() => store.update({ other: store.read().one }))
  const end = store.subscribe(() => heard.push(JSON.stringify(store.read())))
  store.update({ one: 2 })
  expect(heard).toEqual(['{"one":2,"other":2}', '{"one":2,"other":2}'])
  store.update({ one: 2, other: 2 })
  end()
  store.update({ one: 3 })
  expect(heard.length).toBe(2)
})

test('listeners that never settle are stopped', () => {
  const store = createStore({ count: 0 })
  store.subscribe(() => store.update({ count: store.read().count + 1 }))
  expect(() => store.update({ count: 1 })).toThrow('never settle')
})

/** Opens a running show of two slides, with a voice that records its commands. */
function openVoice(words: PlaybackState['words']) {
  const playlist = playlistOfSlides(2)
  const begun = shows.beginShow({ slides: playlist.slides, seed: 'seed', isByHand: false })
  const clock = { nowMs: () => 0, after: () => () => {} }
  const conductor = conduct([0, 1].reduce(shows.markReady, begun), clock)
  const store = createStore<PlaybackState>({
    show: conductor.read(),
    pace: playlist.pace,
    transition: 'fade',
    preferences: { ...firstPreferences, speaksCaptions: true },
    words,
    transitionMs: 0,
    isBlackedOut: false,
    isSilenced: false,
    charge: null,
    isUnpaid: false,
    isOffline: false,
    linkEnd: null,
    resumedAt: null,
    failure: null,
  })
  const said: string[] = []
  let over = () => {}
  const speech = {
    isAvailable: true,
    speak(text: string, _: unknown, whenOver: () => void) {
      said.push(`speak ${text}`)
      over = whenOver
    },
    pause: () => void said.push('pause'),
    resume: () => {},
    stop: () => void said.push('stop'),
  }
  const { change } = conductor
  conductor.subscribe(() => store.update({ show: conductor.read() }))
  const end = subscribeSpokenCaptions({ playlist, store, change }, speech)
  return { store, change, said, end, finish: () => over() }
}

test('a pause pauses the voice, and so does everything that stops the show', () => {
  const { change, said, finish, store } = openVoice({ text: 'Look up.', isPending: false })
  expect(said).toEqual(['stop', 'speak Look up.'])
  change(shows.pause)
  expect(said.at(-1)).toBe('pause')
  change(shows.play)
  const paused = said.length
  change((show) => shows.setFrozen(show, 'sheet', true))
  expect(said.slice(paused)).toEqual(['pause'])
  change((show) => shows.setFrozen(show, 'sheet', false))
  expect(said.filter((one) => one.startsWith('speak'))).toHaveLength(1)
  expect(store.read().show.isSpeaking).toBe(true)
  finish()
  expect(store.read().show.isSpeaking).toBe(false)
})

test('a slide waits for a caption that is being written, and not if captions are off', () => {
  const { store, said, end } = openVoice({ text: null, isPending: true })
  expect(store.read().show.isSpeaking).toBe(true)
  store.update({ words: { text: 'Look up.', isPending: false } })
  expect(said.at(-1)).toBe('speak Look up.')
  store.update({ preferences: { ...store.read().preferences, speaksCaptions: false } })
  expect([said.at(-1), store.read().show.isSpeaking]).toEqual(['stop', false])
  end()
})

test('in the dark nothing is said', () => {
  const { store, said } = openVoice({ text: 'Look up.', isPending: false })
  store.update({ isBlackedOut: true })
  expect(said.at(-1)).toBe('stop')
})

test('without sound nothing is said, and no slide waits for it', () => {
  const { store, said } = openVoice({ text: 'Look up.', isPending: false })
  store.update({ preferences: { ...store.read().preferences, isMuted: true } })
  expect([said.at(-1), store.read().show.isSpeaking]).toEqual(['stop', false])
})
