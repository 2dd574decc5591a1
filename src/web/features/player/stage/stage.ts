/**
 * The stage: shows the pictures and runs the transitions between them. It is plain DOM outside React, so
 * that a transition needs no React render. The frame pool owns the frames.
 */
import { shownIndex, type Show } from '../engine/show.ts'
import type { StagePlaylist } from '../playlist.ts'
import { driftOf } from './drift.ts'
import { type FilmLook, playFilm, setFilmLook, watchFilm } from './film.ts'
import { createFramePool, type Frame, isAnimation } from './frame-pool.ts'
import {
  planTransition,
  prefersStillness,
  type TransitionName,
  type TransitionPlan,
} from './transitions.ts'

export type StageReport = {
  readonly ready: (index: number) => void
  /** Called when a slide fails to load, or fails while it is shown. */
  readonly failed: (index: number) => void
  readonly released: (index: number) => void
  readonly ended: (index: number) => void
  readonly length: (index: number, ms: number) => void
  /** Called when the browser blocks sound because the viewer has not touched the page yet. */
  readonly silenced: () => void
  /** Called when the browser does not let this video start, even muted. */
  readonly refused: (index: number) => void
}

export type StageLook = FilmLook & { readonly isFilling: boolean; readonly hasDrift: boolean }

export function createStage(host: HTMLElement, playlist: StagePlaylist, report: StageReport) {
  let current: { readonly frame: Frame; readonly holdMs: number } | null = null
  let leaving: Frame | null = null
  let finishTransition = nothing
  let drift: Animation | null = null
  let isRunning = false
  let look: StageLook = {
    isFilling: false,
    hasDrift: false,
    isMuted: false,
    volume: 1,
    speed: 1,
  }
  const pool = createFramePool(host, playlist, {
    isFilling: () => look.isFilling,
    isOnScreen: (frame) => frame === current?.frame || frame === leaving,
    isChanging: () => leaving !== null,
    ready: (frame) => {
      if (frame.media instanceof HTMLVideoElement) followVideo(frame, frame.media)
      report.ready(frame.index)
    },
    failed: report.failed,
    released: report.released,
  })

  const resizes = new ResizeObserver(() => pool.chooseAgain())
  resizes.observe(host)

  function followVideo(frame: Frame, video: HTMLVideoElement): void {
    setFilmLook(video, look)
    video.addEventListener('ended', () => report.ended(frame.index))
    video.addEventListener('error', () => pool.fail(frame))
    if (pool.slideOf(frame)?.endsItself) watchFilm(video, () => pool.fail(frame))
    if (Number.isFinite(video.duration)) report.length(frame.index, video.duration * 1000)
  }

  /** Shows the current slide of the show. Returns the duration of the transition in ms. */
  function turnTo(show: Show, transition: TransitionName): number {
    const index = shownIndex(show)
    const frame = index === null ? undefined : pool.get(index)
    if (index === null || !frame) return 0
    finishTransition()
    const old = current?.frame
    const holdMs = show.slides[index]?.holdMs ?? 0
    current = { frame, holdMs }
    if (old === frame) {
      beginSlide(frame)
      return 0
    }
    const plan = planTransition(transition, {
      step: show.step,
      holdMs: holdMs / show.speed,
      isReduced: prefersStillness(),
    })
    host.append(frame.element)
    frame.element.classList.add('is-shown')
    frame.element.ariaHidden = 'false'
    if (old) finishTransition = change(old, frame, plan)
    beginSlide(frame)
    return old ? plan.durationMs : 0
  }

  function beginSlide({ media }: Frame): void {
    if (media instanceof HTMLVideoElement) media.currentTime = 0
    beginDrift()
    applyRunning()
  }

  function change(old: Frame, fresh: Frame, plan: TransitionPlan): () => void {
    leaving = old
    const timing = { duration: plan.durationMs, easing: plan.easing }
    const leave = old.element.animate(plan.leave, { ...timing, fill: 'forwards' })
    const enter = fresh.element.animate(plan.enter, { ...timing, fill: 'backwards' })
    if (old.media instanceof HTMLVideoElement) old.media.pause()
    const finish = () => {
      enter.cancel()
      old.element.classList.remove('is-shown')
      old.element.ariaHidden = 'true'
      old.element.remove()
      if (!pool.has(old)) old.release()
      leave.cancel()
      finishTransition = nothing
      leaving = null
    }
    const finishInTime = () => {
      finish()
      pool.prepareAgain()
    }
    leave.addEventListener('finish', finishInTime, { once: true })
    // The next change cuts this one short and may show the old picture again. So do not prepare here:
    // that could release the old picture.
    return () => {
      leave.removeEventListener('finish', finishInTime)
      finish()
    }
  }

  function beginDrift(): void {
    drift?.cancel()
    drift = null
    const media = current?.frame.media
    if (!current || !(media instanceof HTMLImageElement)) return
    if (!look.hasDrift || prefersStillness()) return
    const slide = pool.slideOf(current.frame)
    const keyframes = driftOf(`${playlist.pace.seed}/${slide?.id}`, slide?.focus ?? null)
    drift = media.animate(keyframes, { duration: current.holdMs, easing: 'linear', fill: 'both' })
    drift.playbackRate = look.speed
  }

  function setRunning(running: boolean): void {
    if (running === isRunning) return
    isRunning = running
    applyRunning()
  }

  function applyRunning(): void {
    if (isRunning) drift?.play()
    else drift?.pause()
    const media = current?.frame.media
    if (!current || !(media instanceof HTMLVideoElement)) return
    const { frame } = current
    const refused = () => report.refused(frame.index)
    const isStill = isAnimation(pool.slideOf(frame)) && prefersStillness()
    if (isRunning && !media.ended && !isStill)
      void playFilm(media, { silenced: report.silenced, refused })
    else media.pause()
  }

  function setLook(next: StageLook): void {
    const isDriftChanged = next.hasDrift !== look.hasDrift
    const isFillChanged = next.isFilling !== look.isFilling
    look = next
    host.classList.toggle('is-filling', look.isFilling)
    if (isFillChanged) pool.chooseAgain()
    for (const { media } of pool.all()) {
      if (media instanceof HTMLVideoElement) setFilmLook(media, look)
    }
    if (drift) drift.playbackRate = look.speed
    if (!isDriftChanged) return
    beginDrift()
    applyRunning()
  }

  /** Sets the description of the current slide: its caption, or a default name if `caption` is null. */
  function describe(caption: string | null): void {
    if (current) current.frame.describe(caption ?? pool.nameOf(current.frame.index))
  }

  /** Loads the original for zooming in. If that fails, the picture does not change. */
  function lookCloser(): void {
    const original = current && pool.slideOf(current.frame)?.mediaUrl
    if (original) current?.frame.replace(original).catch(() => {})
  }

  function close(): void {
    resizes.disconnect()
    finishTransition()
    drift?.cancel()
    current?.frame.release()
    pool.close()
    current = null
    host.replaceChildren()
  }

  return {
    prepare: pool.prepare,
    failPending: pool.failPending,
    setPlaylist: pool.setPlaylist,
    turnTo,
    setRunning,
    setLook,
    describe,
    lookCloser,
    close,
  }
}

function nothing(): void {}
