/**
 * The stage: the pictures themselves and how they change. It is plain DOM outside of React, so that
 * a transition costs no rendering. It holds the frames it is asked to prepare and nothing more.
 */
import { firstFrameAddress } from '../../../first-frame.tsx'
import { shownIndex, type Show } from '../engine/show.ts'
import type { Playlist, PlaylistSlide } from '../playlist.ts'
import { driftOf } from './drift.ts'
import { type FilmLook, playFilm, setFilmLook } from './film.ts'
import { words } from '../words.ts'
import { addressesOf, pictureAddress } from './picture-address.ts'
import { createFrame, type SlideFrame } from './slide-frame.ts'
import { planTransition, type TransitionName, type TransitionPlan } from './transitions.ts'

export type StageReport = {
  readonly ready: (index: number) => void
  /** It did not come, or broke off while it was shown. */
  readonly failed: (index: number) => void
  readonly released: (index: number) => void
  readonly ended: (index: number) => void
  readonly length: (index: number, ms: number) => void
  /** A browser lets no sound begin by itself before someone has touched the page. */
  readonly silenced: () => void
}

export type StageLook = FilmLook & { readonly isFilling: boolean; readonly hasDrift: boolean }

type Frame = SlideFrame & { isReady: boolean }

/** Two at a time: a slow one does not hold up the others, and the next is not robbed of its share. */
const preparedAtOnce = 2
/** A phone has memory for so many decoded pictures: during a change, the two and the one after. */
const mostFrames = 3

export function createStage(
  host: HTMLElement,
  playlist: Playlist,
  report: StageReport,
  reducedMotion: () => boolean,
) {
  const frames = new Map<number, Frame>()
  let queue: readonly number[] = []
  let underWay = 0
  let current: { index: number; frame: Frame; holdMs: number } | null = null
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

  /** Has these slides decoded, the first ones first, and lets go of all others. */
  function prepare(indexes: readonly number[]): void {
    queue = indexes
    for (const [index, frame] of frames) {
      if (indexes.includes(index) || current?.frame === frame || leaving === frame) continue
      frames.delete(index)
      frame.release()
      report.released(index)
    }
    prepareMore()
    layOutNext()
  }

  /**
   * The next picture lies on the screen before its time, too faint to be seen: what takes long about
   * a large picture is then done before it moves. Not during a transition, which has the machine.
   */
  function layOutNext(): void {
    if (leaving) return
    const next = queue.find((index) => index !== current?.index && frames.get(index)?.isReady)
    for (const [index, { element }] of frames) {
      if (index === current?.index) continue
      if (index !== next) element.remove()
      else if (!element.isConnected) host.append(element)
    }
  }

  function prepareMore(): void {
    // What is already in hand will do until a transition is over; it has the machine to itself.
    if (leaving && isNextReady()) return
    for (const index of queue) {
      if (underWay >= preparedAtOnce || frames.size >= mostFrames) return
      const slide = playlist.slides[index]
      if (slide && !frames.has(index)) void prepareOne(index, slide)
    }
  }

  /** What is under way has failed, though the browser may wait for it for minutes. */
  function failPending(): void {
    for (const [index, frame] of frames) {
      if (frame.isReady) continue
      frames.delete(index)
      frame.release()
      report.failed(index)
    }
  }

  function isNextReady(): boolean {
    const next = queue.find((index) => index !== current?.index)
    return next === undefined || frames.get(next)?.isReady === true
  }

  async function prepareOne(index: number, slide: PlaylistSlide): Promise<void> {
    const frame = { ...createFrame({ slide, ...wishFor(index, slide) }), isReady: false }
    frames.set(index, frame)
    underWay += 1
    try {
      await frame.ready
      if (frames.get(index) !== frame) return
      frame.isReady = true
      const { media } = frame
      if (media instanceof HTMLVideoElement) followVideo(index, frame, media)
      report.ready(index)
      layOutNext()
    } catch {
      if (frames.get(index) !== frame) return
      frames.delete(index)
      frame.release()
      report.failed(index)
    } finally {
      underWay -= 1
      prepareMore()
    }
  }

  function wishFor(index: number, slide: PlaylistSlide) {
    const screen = {
      widthPx: host.clientWidth * devicePixelRatio,
      heightPx: host.clientHeight * devicePixelRatio,
      isFilling: look.isFilling,
    }
    const isWide = host.clientWidth > host.clientHeight
    // What is on the page already is not loaded in another size.
    const address = firstFrameAddress(addressesOf(slide)) ?? pictureAddress(slide, screen)
    return { words: nameOf(index), address, isWide }
  }

  function nameOf(index: number): string {
    const { caption = null, subfeed = null, alt = null } = playlist.slides[index] ?? {}
    if (caption !== null) return caption
    const slide = index + 1
    if (alt !== null) return words.slideShowing({ slide, alt })
    return subfeed === null ? words.slideNumber({ slide }) : words.slideFrom({ slide, subfeed })
  }

  function followVideo(index: number, frame: Frame, video: HTMLVideoElement): void {
    setFilmLook(video, look)
    video.addEventListener('ended', () => report.ended(index))
    video.addEventListener('error', () => {
      if (frames.get(index) !== frame) return
      // While it is on the screen, its last picture stays there until something takes its place.
      frames.delete(index)
      if (current?.frame !== frame) frame.release()
      report.failed(index)
    })
    if (Number.isFinite(video.duration)) report.length(index, video.duration * 1000)
  }

  /** Puts the slide that the show is at on the screen. Gives how long the change takes. */
  function turnTo(show: Show, transition: TransitionName): number {
    const index = shownIndex(show)
    const frame = index === null ? undefined : frames.get(index)
    if (index === null || !frame) return 0
    finishTransition()
    const old = current
    const holdMs = show.slides[index]?.holdMs ?? 0
    current = { index, frame, holdMs }
    if (old?.frame === frame) return 0
    const plan = planTransition(transition, {
      step: show.step,
      holdMs: holdMs / show.speed,
      isReduced: reducedMotion(),
    })
    host.append(frame.element)
    frame.element.classList.add('is-shown')
    frame.element.ariaHidden = 'false'
    if (old) finishTransition = change(old, frame, plan)
    if (frame.media instanceof HTMLVideoElement) frame.media.currentTime = 0
    beginDrift()
    applyRunning()
    return old ? plan.durationMs : 0
  }

  function change(
    { index, frame: old }: { index: number; frame: Frame },
    fresh: Frame,
    plan: TransitionPlan,
  ): () => void {
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
      if (frames.get(index) !== old) old.release()
      leave.cancel()
      finishTransition = nothing
      leaving = null
    }
    const finishInTime = () => {
      finish()
      prepare(queue)
    }
    leave.addEventListener('finish', finishInTime, { once: true })
    // Cut short by the next change, which may bring the old picture back: it is let go of after that.
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
    if (!look.hasDrift || reducedMotion()) return
    const slide = playlist.slides[current.index]
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
    if (!(media instanceof HTMLVideoElement)) return
    if (isRunning && !media.ended) void playFilm(media, report.silenced)
    else media.pause()
  }

  function setLook(next: StageLook): void {
    const isDriftChanged = next.hasDrift !== look.hasDrift
    look = next
    host.classList.toggle('is-filling', look.isFilling)
    for (const { media } of frames.values()) {
      if (media instanceof HTMLVideoElement) setFilmLook(media, look)
    }
    if (drift) drift.playbackRate = look.speed
    if (!isDriftChanged) return
    beginDrift()
    applyRunning()
  }

  /** What is on the screen, in the words of its caption; null where it has none. */
  function describe(caption: string | null): void {
    if (current) current.frame.describe(caption ?? nameOf(current.index))
  }

  /** The picture on the screen is looked at closely; without its original it stays as it is. */
  function lookCloser(): void {
    current?.frame.showOriginal().catch(() => {})
  }

  function close(): void {
    finishTransition()
    drift?.cancel()
    current?.frame.release()
    for (const frame of frames.values()) frame.release()
    frames.clear()
    queue = []
    current = null
    host.replaceChildren()
  }

  return { prepare, failPending, turnTo, setRunning, setLook, describe, lookCloser, close }
}

function nothing(): void {}
