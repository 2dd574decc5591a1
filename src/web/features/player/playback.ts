/**
 * Everything that runs while a playlist plays: the show in time, the stage, the captions, the
 * count of what was seen, sound and screen. React draws what `read` gives and calls `commands`.
 */
import { createClient } from '../../../client/client.ts'
import { api } from '../../../contract/api.ts'
import { client } from '../../api.ts'
import { followSession } from '../../session-events.ts'
import { createCaptionStore } from './caption-store.ts'
import { conduct } from './engine/conductor.ts'
import * as shows from './engine/show.ts'
import { createCaptionCache } from './outside/caption-cache.ts'
import { createMediaKeys } from './outside/media-keys.ts'
import { createNetwork } from './outside/network.ts'
import { keepPreferences, type Preferences, readPreferences } from './outside/preferences.ts'
import { createSpeech } from './outside/speech.ts'
import { createWakeLock } from './outside/wake-lock.ts'
import type { Playlist } from './playlist.ts'
import { createStage, type Stage } from './stage/stage.ts'
import { type Charge, createViewCounter } from './view-counter.ts'

export type PlaybackState = {
  readonly show: shows.Show
  readonly caption: string | null
  /** How long the last change of slide takes; the caption comes back towards its end. */
  readonly transitionMs: number
  readonly preferences: Preferences
  readonly isBlackedOut: boolean
  /** What was charged last, and what is left. */
  readonly charge: (Charge & { readonly turn: number }) | null
  readonly isUnpaid: boolean
  /** The show waits for the network. */
  readonly isOffline: boolean
}

export type Playback = ReturnType<typeof createPlayback>

/** Its requests go on when the page that made them is gone. */
const lastingClient = createClient(api, {
  fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
})

const slidesAhead = 3
const captionsAhead = 2

export function createPlayback(playlist: Playlist) {
  const { session, headers } = playlist
  const conductor = conduct(
    shows.beginShow({
      slides: playlist.slides,
      seed: playlist.pace.seed,
      isByHand: playlist.isByHand,
    }),
  )
  const speech = createSpeech()
  const store = createCaptionStore({
    playlist,
    cache: createCaptionCache(),
    ask: async (slide, address) => {
      const body = {
        media_url: address,
        subfeed: slide.subfeed,
        ...(session ? { sessionId: session.id } : {}),
      }
      return (await client.captions.generate({ body, headers: { ...headers } })).caption
    },
  })
  const views = createViewCounter({
    begin: async () => {
      const params = { id: String(session?.id) }
      return (await client.sessions.play({ params, headers: { ...headers } })).playId
    },
    tell: (playId, mediaIds, isLeaving) =>
      (isLeaving ? lastingClient : client).sessions.view({
        params: { playId: String(playId) },
        body: { mediaIds },
      }),
    onCharge: (charge) => {
      if (charge.charged > 0) update({ charge: { ...charge, turn: conductor.read().turn } })
    },
    onUnpaid: () => {
      update({ isUnpaid: true })
      change(shows.pause)
    },
  })

  let state: PlaybackState = {
    show: conductor.read(),
    caption: null,
    transitionMs: 0,
    preferences: readPreferences(),
    isBlackedOut: false,
    charge: null,
    isUnpaid: false,
    isOffline: false,
  }
  const listeners = new Set<() => void>()
  let stage: Stage | null = null
  let shownTurn = 0
  let spokenTurn = 0

  function update(part: Partial<PlaybackState>): void {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }

  const change = conductor.change

  /** After every change of the show: the stage, the captions and the count follow it. */
  function follow(): void {
    const show = conductor.read()
    const transitionMs = show.turn === shownTurn ? state.transitionMs : turn(show)
    stage?.setRunning(shows.isTicking(show))
    stage?.prepare(shows.slidesToPrepare(show, slidesAhead))
    update({ show, caption: captionOf(show), transitionMs })
    speakCaption()
  }

  /** Gives how long the change takes. */
  function turn(show: shows.Show): number {
    shownTurn = show.turn
    speech.stop()
    const transitionMs = stage?.turnTo(show) ?? 0
    const slide = slideOf(show)
    if (slide && session) views.saw(slide.id)
    wantCaptions(show)
    return transitionMs
  }

  function wantCaptions(show: shows.Show): void {
    if (!state.preferences.showsCaptions && !state.preferences.speaksCaptions) return
    const near = shows.slidesToPrepare(show, captionsAhead)
    store.want(near.flatMap((index) => playlist.slides[index] ?? []))
  }

  function slideOf(show: shows.Show) {
    const index = shows.shownIndex(show)
    return index === null ? undefined : playlist.slides[index]
  }

  function captionOf(show: shows.Show): string | null {
    const slide = slideOf(show)
    return slide && state.preferences.showsCaptions ? store.read(slide.id) : null
  }

  /** A slide whose caption is spoken, or will be, waits for it. */
  function speakCaption(): void {
    const { show, preferences } = state
    const slide = slideOf(show)
    if (!slide || !preferences.speaksCaptions || !speech.isAvailable || !show.isRunning) return
    if (spokenTurn === show.turn) return
    const text = store.read(slide.id)
    if (text === null) {
      const isPending = store.isPending(slide.id)
      if (show.isSpeaking !== isPending) change((now) => shows.setSpeaking(now, isPending))
      return
    }
    const { turn } = show
    spokenTurn = turn
    change((now) => shows.setSpeaking(now, true))
    speech.speak(text, () => {
      if (conductor.read().turn === turn) change((now) => shows.setSpeaking(now, false))
    })
  }

  function prefer(part: Partial<Preferences>): void {
    const preferences = { ...state.preferences, ...part }
    keepPreferences(preferences)
    update({ preferences })
    stage?.setLook(preferences)
    if (part.speaksCaptions === false) speech.stop()
    wantCaptions(conductor.read())
    follow()
  }

  function toggle(name: keyof Preferences): void {
    prefer({ [name]: !state.preferences[name] })
  }

  const commands = {
    change,
    toggle,
    playOrPause: () => change((show) => (show.isRunning ? shows.pause(show) : shows.play(show))),
    next: () => change(shows.next),
    previous: () => change(shows.previous),
    /** Dark and silent at once; the show stands still until someone lets it go on. */
    blackOut() {
      speech.stop()
      change(shows.pause)
      update({ isBlackedOut: true })
      keys?.tell({ title: null, isPlaying: false })
    },
    lightUp: () => {
      update({ isBlackedOut: false })
      tellKeys()
    },
  }

  let keys: ReturnType<typeof createMediaKeys> | null = null

  function tellKeys(): void {
    if (state.isBlackedOut) return
    keys?.tell({ title: playlist.title, isPlaying: conductor.read().isRunning })
  }

  /** Begins to play on this element; what it gives ends it. */
  function open(host: HTMLElement): () => void {
    const leaving = new AbortController()
    const wakeLock = createWakeLock()
    const network = createNetwork(() => {
      update({ isOffline: false })
      change(shows.askAgain)
    })
    /** A slide is broken only if the site is reached: without a network none would come. */
    const judge = async (index: number) => {
      change((show) => shows.markMissing(show, index))
      if (!(await network.isReached())) return update({ isOffline: true })
      change((show) => (show.missing.has(index) ? shows.markBroken(show, index) : show))
    }
    keys = createMediaKeys({
      play: () => change(shows.play),
      pause: () => change(shows.pause),
      next: commands.next,
      previous: commands.previous,
    })
    stage = createStage(
      host,
      playlist,
      {
        ready: (index) => change((show) => shows.markReady(show, index)),
        failed: (index) => void judge(index),
        released: (index) => change((show) => shows.markReleased(show, index)),
        ended: (index) => change((show) => shows.markEnded(show, index)),
        length: (index, ms) => change((show) => shows.learnLength(show, index, ms)),
        silenced: () => update({ preferences: { ...state.preferences, isMuted: true } }),
      },
      () => matchMedia('(prefers-reduced-motion: reduce)').matches,
    )
    stage.setLook(state.preferences)
    const unfollow = conductor.subscribe(() => {
      follow()
      wakeLock.setOn(shows.isTicking(conductor.read()))
      tellKeys()
      if (conductor.read().isOver) views.settle({ isLeaving: false })
    })
    const unread = store.subscribe(follow)
    const stop = conductor.start()
    listenToSession(leaving.signal)
    addEventListener('pagehide', () => views.settle({ isLeaving: true }), {
      signal: leaving.signal,
    })
    return () => {
      leaving.abort()
      views.settle({ isLeaving: true })
      unfollow()
      unread()
      stop()
      speech.stop()
      wakeLock.close()
      network.close()
      keys?.close()
      stage?.close()
      stage = null
    }
  }

  function listenToSession(signal: AbortSignal): void {
    if (!session) return
    void followSession(session.id, {
      headers,
      signal,
      tell: ({ type, data }) => {
        if (type !== 'caption' || typeof data !== 'object' || data === null) return
        if (!('mediaId' in data) || !('caption' in data)) return
        store.hear(Number(data.mediaId), String(data.caption))
      },
    })
  }

  return {
    playlist,
    open,
    commands,
    elapsedMs: conductor.elapsedMs,
    canSpeak: speech.isAvailable,
    read: () => state,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
