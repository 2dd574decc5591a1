/**
 * Plays a room on an element: puts the slide on that the server's clock says, as soon as it is there,
 * and keeps films in step by their rate, or by a leap where they are far off.
 */
import { runningSlide } from '../../../contract/slide-time.ts'
import { beginShow, type Show } from '../player/engine/show.ts'
import { previewPlaylist } from '../player/playlist.ts'
import { createStage } from '../player/stage/stage.ts'
import '../player/player.css'
import type { RoomSlide } from './room-client.ts'
import type { RoomConnection } from './room-connection.ts'

const slidesAhead = 2
const filmIntervalMs = 250
const retryMs = 2000
/** Further off a film leaps; nearer it runs a little faster or slower until it is there. */
const leapMs = 400
const stillMs = 20
const mostTrim = 0.15

export function openScreen(host: HTMLElement, connection: RoomConnection): () => void {
  let opened: Opened | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function follow(): void {
    clearTimeout(timer)
    const { state, media, room, over } = connection.read()
    if (!state || !room || media.length === 0) return
    const signature = signatureOf(media)
    if (opened?.signature !== signature) {
      opened?.close()
      opened = openStage(host, room.session.title, media, connection, follow)
    }
    const nowMs = connection.nowMs()
    const on = runningSlide(state, media, nowMs)
    const isMoving = state.status === 'playing' && !state.blackout && over === null
    opened.show(on.slide, { speed: state.speed, transition: state.settings.transition, isMoving })
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

type Opened = ReturnType<typeof openStage>

function openStage(
  host: HTMLElement,
  title: string,
  media: readonly RoomSlide[],
  connection: RoomConnection,
  onReady: () => void,
) {
  const { state } = connection.read()
  const { intervalMin = 3, intervalMax = 10, transition = 'fade' } = state?.settings ?? {}
  const session = { title, transition, intervalMin, intervalMax, mediaCount: media.length }
  const playlist = previewPlaylist(
    { session, media: [...media], byline: '' },
    { seed: state?.seed ?? '', headers: {}, exit: '/', isVisitor: true },
  )
  const show = beginShow({ slides: playlist.slides, seed: playlist.pace.seed, isByHand: false })
  const ready = new Set<number>()
  let shown = -1
  let isMuted = false
  let retry: ReturnType<typeof setTimeout> | undefined
  const leaving = new AbortController()
  const stage = createStage(
    host,
    playlist,
    {
      ready: (index) => {
        ready.add(index)
        onReady()
      },
      failed: (index) => {
        ready.delete(index)
        clearTimeout(retry)
        retry = setTimeout(onReady, retryMs)
      },
      released: (index) => ready.delete(index),
      ended: () => {},
      length: () => {},
      silenced: () => {
        isMuted = true
      },
    },
    () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  )
  // Whoever touches the page may hear it.
  const unmute = () => {
    isMuted = false
    onReady()
  }
  for (const touch of ['keydown', 'pointerdown'])
    document.addEventListener(touch, unmute, { signal: leaving.signal })
  return {
    signature: signatureOf(media),
    show(
      index: number,
      look: { speed: number; transition: typeof transition; isMoving: boolean },
    ): void {
      const { speed, isMoving } = look
      stage.setLook({ isFilling: false, hasDrift: false, isMuted, volume: 1, speed })
      if (index !== shown && ready.has(index)) {
        stage.turnTo(showAt(show, index, shown, speed), look.transition)
        shown = index
        // What a screen shows can be told from outside.
        host.dataset['slide'] = String(index)
      }
      stage.setRunning(isMoving)
      const ahead = Array.from({ length: slidesAhead }, (_, at) => (index + at + 1) % media.length)
      stage.prepare([...new Set([index, ...ahead])])
    },
    close(): void {
      leaving.abort()
      clearTimeout(retry)
      stage.close()
    },
  }
}

function showAt(show: Show, index: number, before: number, speed: number): Show {
  return { ...show, place: index, step: index < before ? -1 : 1, speed }
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
    if (Math.abs(aheadMs) > stillMs) film.currentTime = wantedMs / 1000
    return
  }
  const trim =
    Math.abs(aheadMs) < stillMs ? 0 : Math.max(-mostTrim, Math.min(mostTrim, aheadMs / 1000))
  film.playbackRate = state.speed * (1 - trim)
}

function signatureOf(media: readonly RoomSlide[]): string {
  return media.map(({ id, mediaUrl }) => `${id} ${mediaUrl}`).join('\n')
}
