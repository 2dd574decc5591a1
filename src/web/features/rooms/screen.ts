/**
 * Plays a room on an element. It shows the slide that is current by the server's clock, as soon as that slide
 * has loaded. It keeps films in step by their playback rate, or by a seek if the difference is large.
 */
import { runningSlide } from '../../../contract/slide-time.ts'
import { conduct } from '../player/engine/conductor.ts'
import { askAgain, beginShow, goTo, markMissing, shownIndex } from '../player/engine/show.ts'
import { paceOf, playable, type StagePlaylist } from '../player/playlist.ts'
import { createProjector } from '../player/stage/projector.ts'
import '../player/player.css'
import type { RoomSlide, RoomState } from './room-client.ts'
import type { RoomConnection } from './room-connection.ts'

const filmIntervalMs = 250
const retryMs = 2000
/** Above this difference a film seeks; below it plays a little faster or slower. */
const leapMs = 400
const stillMs = 20
const maxTrim = 0.15

export function openScreen(host: HTMLElement, connection: RoomConnection): () => void {
  let opened: Opened | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function follow(): void {
    clearTimeout(timer)
    const { state, media, over } = connection.read()
    if (!state || media.length === 0) return
    const nowMs = connection.nowMs()
    const on = runningSlide(state, media, nowMs)
    const isMoving = state.status === 'playing' && !state.blackout && over === null
    opened ??= openProjector(host, state, media)
    opened.show(on.slide, { state, media, isMoving })
    if (on.endsAt !== null) timer = setTimeout(follow, Math.max(0, on.endsAt - nowMs))
  }

  const films = setInterval(() => keepFilmInStep(host, connection), filmIntervalMs)
  const unsubscribe = connection.subscribe(follow)
  follow()
  return () => {
    unsubscribe()
    clearTimeout(timer)
    clearInterval(films)
    opened?.close()
  }
}

type Opened = ReturnType<typeof openProjector>

function openProjector(host: HTMLElement, first: RoomState, media: readonly RoomSlide[]) {
  const playlist = playlistOf(first, media)
  const { slides } = playlist
  // The room's clock advances the show, not the durations of the slides.
  const begun = beginShow({ slides, seed: '', isByHand: true, isLooping: true })
  const conductor = conduct(begun)
  const { read, change } = conductor
  let signature = signatureOf(media)
  let state = first
  let isMuted = false
  let retry: ReturnType<typeof setTimeout> | undefined
  const leaving = new AbortController()
  const projector = createProjector(host, playlist, {
    read,
    change,
    look: () => ({ isFilling: false, hasDrift: false, isMuted, volume: 1, speed: state.speed }),
    transition: () => state.settings.transition,
    pictureHoldMs: () => 0,
    failed: (index) => {
      change((show) => markMissing(show, index))
      clearTimeout(retry)
      retry = setTimeout(() => change(askAgain), retryMs)
    },
    turned: () => {
      // For tests: the slide on this screen.
      host.dataset['slide'] = String(shownIndex(read()))
    },
    silenced: () => {
      isMuted = true
    },
  })
  // Browsers allow sound after a user gesture.
  const unmute = () => {
    isMuted = false
    projector.follow()
  }
  for (const touch of ['keydown', 'pointerdown'])
    document.addEventListener(touch, unmute, { signal: leaving.signal })
  conductor.subscribe(() => projector.follow())
  const stop = conductor.start()
  return {
    show(
      index: number,
      now: { state: RoomState; media: readonly RoomSlide[]; isMoving: boolean },
    ): void {
      state = now.state
      if (signatureOf(now.media) !== signature) {
        signature = signatureOf(now.media)
        projector.setPlaylist(playlistOf(state, now.media))
      }
      change((show) => goTo({ ...show, speed: state.speed, isRunning: now.isMoving }, index))
    },
    close(): void {
      leaving.abort()
      clearTimeout(retry)
      stop()
      projector.close()
    },
  }
}

function playlistOf(state: RoomState, media: readonly RoomSlide[]): StagePlaylist {
  const pace = paceOf(state.settings, state.seed)
  return { slides: playable(media, pace), pace }
}

function keepFilmInStep(host: HTMLElement, connection: RoomConnection): void {
  const film = [...host.querySelectorAll<HTMLVideoElement>('.is-shown video')].at(-1)
  const { state, media } = connection.read()
  if (!film || !state || !Number.isFinite(film.duration) || film.seeking) return
  const on = runningSlide(state, media, connection.nowMs())
  if (String(on.slide) !== host.dataset['slide']) return
  const lengthMs = film.duration * 1000
  const wantedMs = film.loop ? on.positionMs % lengthMs : Math.min(on.positionMs, lengthMs)
  const aheadMs = film.currentTime * 1000 - wantedMs
  if (Math.abs(aheadMs) > leapMs || film.paused) {
    film.playbackRate = state.speed
    const isOver = film.ended
    if (Math.abs(aheadMs) > stillMs) film.currentTime = wantedMs / 1000
    // A room with a single film starts over: an ended film does not resume by itself.
    if (isOver && aheadMs > leapMs && state.status === 'playing') film.play().catch(() => {})
    return
  }
  const trim =
    Math.abs(aheadMs) < stillMs ? 0 : Math.max(-maxTrim, Math.min(maxTrim, aheadMs / 1000))
  film.playbackRate = state.speed * (1 - trim)
}

function signatureOf(media: readonly RoomSlide[]): string {
  return media.map(({ id, mediaUrl }) => `${id} ${mediaUrl}`).join('\n')
}
