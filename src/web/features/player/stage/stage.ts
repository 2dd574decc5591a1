/**
 * The stage: the pictures themselves and how they change. It is plain DOM outside of React, so that
 * a transition costs no rendering. It holds the frames it is asked to prepare and nothing more.
 */
import { shownIndex, type Show } from '../engine/show.ts'
import type { Playlist } from '../playlist.ts'
import { driftOf } from './drift.ts'
import { createFrame, type SlideFrame } from './slide-frame.ts'
import { planTransition, type TransitionPlan } from './transitions.ts'

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

export type StageLook = {
  readonly isFilling: boolean
  readonly hasDrift: boolean
  readonly isMuted: boolean
}

export type Stage = ReturnType<typeof createStage>

/** Two at a time: a slow one does not hold up the others, and the next is not robbed of its share. */
const preparedAtOnce = 2

export function createStage(
  host: HTMLElement,
  playlist: Playlist,
  report: StageReport,
  reducedMotion: () => boolean,
) {
  const frames = new Map<number, SlideFrame & { isReady: boolean }>()
  let queue: readonly number[] = []
  let underWay = 0
  let current: { index: number; frame: SlideFrame; holdMs: number } | null = null
  let finishTransition = nothing
  let isChanging = false
  let drift: Animation | null = null
  let look: StageLook = { isFilling: false, hasDrift: false, isMuted: false }
  let isRunning = false

  /** Has these slides decoded, the first ones first, and lets go of all others. */
  function prepare(indexes: readonly number[]): void {
    queue = indexes
    for (const [index, frame] of frames) {
      if (indexes.includes(index) || current?.index === index) continue
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
    if (isChanging) return
    const next = queue.find((index) => index !== current?.index && frames.get(index)?.isReady)
    for (const [index, { element }] of frames) {
      if (index === current?.index) continue
      if (index !== next) element.remove()
      else if (!element.isConnected) host.append(element)
    }
  }

  function prepareMore(): void {
    // What is already in hand will do until a transition is over; it has the machine to itself.
    if (isChanging && isNextReady()) return
    for (const index of queue) {
      if (underWay >= preparedAtOnce) return
      const slide = playlist.slides[index]
      if (slide && !frames.has(index)) void prepareOne(index, slide)
    }
  }

  function isNextReady(): boolean {
    const next = queue.find((index) => index !== current?.index)
    return next === undefined || frames.get(next)?.isReady === true
  }

  async function prepareOne(index: number, slide: Playlist['slides'][number]): Promise<void> {
    const words = `Slide ${index + 1}${slide.subfeed === null ? '' : `, from ${slide.subfeed}`}`
    const frame = { ...createFrame(slide, words), isReady: false }
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

  function followVideo(index: number, frame: SlideFrame, video: HTMLVideoElement): void {
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
  function turnTo(show: Show): number {
    const index = shownIndex(show)
    const frame = index === null ? undefined : frames.get(index)
    if (index === null || !frame) return 0
    finishTransition()
    const old = current
    const holdMs = (show.slides[index]?.holdMs ?? 0) / show.speed
    current = { index, frame, holdMs }
    if (old?.frame === frame) return 0
    const plan = planTransition(playlist.transition, {
      step: show.step,
      holdMs,
      isReduced: reducedMotion(),
    })
    host.append(frame.element)
    frame.element.classList.add('is-shown')
    frame.element.ariaHidden = 'false'
    if (old) finishTransition = change(old, frame, plan)
    applyLook()
    beginMedia(frame.media)
    return old ? plan.durationMs : 0
  }

  function change(
    { index, frame: old }: { index: number; frame: SlideFrame },
    fresh: SlideFrame,
    plan: TransitionPlan,
  ): () => void {
    isChanging = true
    const timing = { duration: plan.durationMs, easing: plan.easing }
    const leaving = old.element.animate(plan.leave, { ...timing, fill: 'forwards' })
    const entering = fresh.element.animate(plan.enter, { ...timing, fill: 'backwards' })
    if (old.media instanceof HTMLVideoElement) old.media.pause()
    const finish = () => {
      entering.cancel()
      old.element.classList.remove('is-shown')
      old.element.ariaHidden = 'true'
      old.element.remove()
      if (frames.get(index) !== old) old.release()
      leaving.cancel()
      finishTransition = nothing
      isChanging = false
      layOutNext()
      prepareMore()
    }
    leaving.addEventListener('finish', finish, { once: true })
    return () => {
      leaving.removeEventListener('finish', finish)
      finish()
    }
  }

  function beginMedia(media: SlideFrame['media']): void {
    drift?.cancel()
    drift = null
    if (media instanceof HTMLVideoElement) media.currentTime = 0
    else if (look.hasDrift && !reducedMotion()) drift = beginDrift(media)
    applyRunning()
  }

  function beginDrift(media: HTMLImageElement): Animation | null {
    if (!current) return null
    const slide = playlist.slides[current.index]
    const keyframes = driftOf(`${playlist.pace.seed}/${slide?.id}`)
    return media.animate(keyframes, { duration: current.holdMs, easing: 'linear', fill: 'both' })
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
    if (isRunning && !media.ended) void playVideo(media)
    else media.pause()
  }

  async function playVideo(video: HTMLVideoElement): Promise<void> {
    try {
      await video.play()
    } catch (error) {
      const isForbidden = error instanceof DOMException && error.name === 'NotAllowedError'
      if (!isForbidden || video.muted) return
      video.muted = true
      report.silenced()
      await video.play().catch(() => {})
    }
  }

  function setLook(next: StageLook): void {
    const driftChanged = next.hasDrift !== look.hasDrift
    look = next
    applyLook()
    if (driftChanged && current) beginMedia(current.frame.media)
  }

  function applyLook(): void {
    host.classList.toggle('is-filling', look.isFilling)
    for (const { media } of frames.values()) {
      if (media instanceof HTMLVideoElement) media.muted = look.isMuted
    }
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

  return { prepare, turnTo, setRunning, setLook, close }
}

function nothing(): void {}
