/**
 * A playlist while it plays: the running show and the record of its state. Pictures, captions, voice,
 * views, memory and device each subscribe to that record. React renders the result of `read` and calls
 * `commands`.
 */
import { isEmbedded } from '../../embedding.ts'
import { conduct } from './engine/conductor.ts'
import { holdMsOf } from './engine/schedule.ts'
import { setHolds } from './engine/show-slides.ts'
import * as shows from './engine/show.ts'
import { readLastSlide } from './outside/last-slide.ts'
import { type Preferences, readPreferences, type SwitchName } from './outside/preferences.ts'
import { isSilent, type PlaybackState, type Playing } from './playback-state.ts'
import type { Playlist } from './playlist.ts'
import type { TransitionName } from './stage/transitions.ts'
import { createStore } from './store.ts'
import { subscribePictures } from './subscribers/pictures.ts'

export type Playback = ReturnType<typeof createPlayback>

/** Starts at slide number `startSlide`; without it, resumes at the slide where the session last stopped. */
export function createPlayback(playlist: Playlist, startSlide: number | null = null) {
  const preferences = readPreferences()
  const { isLooping, isShuffled, speed } = preferences
  const { startIndex, resumedAt } = startOf(playlist, startSlide)
  const show = shows.beginShow({
    slides: playlist.slides,
    // The shuffled order differs in each play. The time of a slide comes from the seed of the pace instead.
    seed: String(Math.random()),
    isByHand: playlist.isByHand,
    isLooping,
    isShuffled,
    speed,
    startIndex,
  })
  // An embedded show starts paused, until the viewer starts it.
  const conductor = conduct(isEmbedded() ? shows.pause(show) : show)
  const store = createStore<PlaybackState>({
    show: conductor.read(),
    pace: playlist.pace,
    transition: playlist.transition,
    preferences,
    words: { text: null, isPending: false },
    transitionMs: 0,
    isBlackedOut: false,
    isSilenced: false,
    charge: null,
    isUnpaid: false,
    linkEnd: null,
    isOffline: false,
    resumedAt,
    failure: null,
  })
  const { change } = conductor
  let pictures: ReturnType<typeof subscribePictures> | null = null

  function prefer(part: Partial<Preferences>): void {
    store.update({ preferences: { ...store.read().preferences, ...part } })
  }

  const commands = {
    change,
    prefer,
    toggle: (name: SwitchName) => {
      const isOn = !store.read().preferences[name]
      // Turning the voice on also turns the sound on.
      prefer({ [name]: isOn, ...(name === 'speaksCaptions' && isOn && { isMuted: false }) })
    },
    /** Also turns on sound that the browser blocked: this touch allows it. */
    toggleSound: () => {
      prefer({ isMuted: !isSilent(store.read()) })
      store.update({ isSilenced: false })
    },
    /** Sets the volume in steps of 5 %, and turns the sound on. */
    setVolume: (wished: number) => {
      const volume = Math.round(wished * 20) / 20
      prefer({ volume: Math.max(0, Math.min(1, volume)), isMuted: false })
      store.update({ isSilenced: false })
    },
    playOrPause: () => change((show) => (show.isRunning ? shows.pause(show) : shows.play(show))),
    next: () => change(shows.next),
    previous: () => change(shows.previous),
    startOver: () => {
      store.update({ resumedAt: null })
      change((show) => shows.goTo(show, 0))
    },
    setTransition: (transition: TransitionName) => store.update({ transition }),
    setPace: (part: { readonly intervalMinS: number; readonly intervalMaxS: number }) => {
      const pace = { ...store.read().pace, ...part }
      store.update({ pace })
      change((show) =>
        setHolds(show, (index) => {
          const slide = playlist.slides[index]
          return slide ? holdMsOf(slide, pace) : 0
        }),
      )
    },
    lookCloser: () => pictures?.lookCloser(),
    /** Makes the player dark and silent at once, and pauses the show. */
    blackOut: () => {
      store.update({ isBlackedOut: true })
      change(shows.pause)
    },
    lightUp: () => store.update({ isBlackedOut: false }),
  }

  /** Starts to play on this element. Returns a function that stops it. */
  function open(host: HTMLElement): () => void {
    const playing: Playing = { playlist, store, change }
    const shown = subscribePictures(playing, host)
    pictures = shown
    const ends = [
      conductor.subscribe(() => store.update({ show: conductor.read() })),
      conductor.start(),
      shown.close,
    ]
    let isOpen = true
    import('./subscribers/background.ts')
      .then(({ subscribeBackground }) => isOpen && ends.unshift(subscribeBackground(playing)))
      .catch((failure: unknown) => store.update({ failure }))
    return () => {
      isOpen = false
      for (const end of ends) end()
    }
  }

  return {
    playlist,
    open,
    commands,
    elapsedMs: conductor.elapsedMs,
    canSpeak: 'speechSynthesis' in globalThis,
    read: store.read,
    subscribe: store.subscribe,
  }
}

/** Returns the index of the requested slide, or of the slide at which this session last stopped. */
function startOf({ slides, pace }: Playlist, startSlide: number | null) {
  if (startSlide !== null) {
    const index = startSlide - 1
    return { startIndex: slides[index] ? index : undefined, resumedAt: null }
  }
  const lastId = readLastSlide(pace.seed)
  const index = slides.findIndex(({ id }) => id === lastId)
  return index > 0
    ? { startIndex: index, resumedAt: index + 1 }
    : { startIndex: undefined, resumedAt: null }
}
