/**
 * The frames of the slides that are on the screen or next. They load in order, two at a time, and never
 * more than a phone has memory for.
 */
import { firstFrameAddress } from '../../../first-frame.tsx'
import type { PlaylistSlide, StagePlaylist } from '../playlist.ts'
import { words } from '../words.ts'
import { addressesOf, pictureAddress } from './picture-address.ts'
import { createPrefetch } from './prefetch.ts'
import { createFrame, type SlideFrame } from './slide-frame.ts'
import { prefersStillness } from './transitions.ts'

export type Frame = SlideFrame & {
  /** The index of the slide; -1 when the slide is no longer in the playlist. */
  index: number
  isReady: boolean
}

type PoolUser = {
  readonly isFilling: () => boolean
  readonly isOnScreen: (frame: Frame) => boolean
  /** True during a transition. The pool then avoids other work, to keep it smooth. */
  readonly isChanging: () => boolean
  readonly ready: (frame: Frame) => void
  readonly failed: (index: number) => void
  readonly released: (index: number) => void
}

/** Two at a time: one slow file does not block the others, and the next slide keeps enough bandwidth. */
const preparedAtOnce = 2
/** A phone has memory for three decoded pictures: the two of a transition and the next one. */
const maxFrames = 3

/** True for an animation. It must start at its first frame, or is shown as a still. */
export function isAnimation(slide: PlaylistSlide | undefined): boolean {
  return slide?.type === 'gif'
}

export function createFramePool(host: HTMLElement, first: StagePlaylist, user: PoolUser) {
  const frames = new Map<number, Frame>()
  let playlist = first
  let queue: readonly number[] = []
  let later: readonly number[] = []
  let underWay = 0
  const prefetch = createPrefetch()

  /** Loads the frames of `indexes`, prefetches the files of `next`, releases frames that are not needed. */
  function prepare(indexes: readonly number[], next: readonly number[] = later): void {
    queue = indexes
    later = next
    for (const [index, frame] of frames) {
      if (indexes.includes(index) || user.isOnScreen(frame)) continue
      frames.delete(index)
      frame.release()
      user.released(index)
    }
    prepareMore()
    layOutNext()
  }

  /**
   * Adds the next picture to the page early, almost transparent. The slow work on a large picture is
   * then done before its transition. Does nothing during a transition, to keep that smooth.
   */
  function layOutNext(): void {
    if (user.isChanging()) return
    const next = ahead().find((index) => frames.get(index)?.isReady)
    for (const [index, frame] of frames) {
      if (user.isOnScreen(frame)) continue
      // On the page an animation would start before it is visible.
      if (index !== next || isAnimation(playlist.slides[index])) frame.element.remove()
      else if (!frame.element.isConnected) host.append(frame.element)
    }
  }

  function prepareMore(): void {
    const [next] = ahead()
    const isNextReady = next === undefined || frames.get(next)?.isReady === true
    // The loaded frames are enough until the transition is over.
    if (user.isChanging() && isNextReady) return
    for (const index of queue) {
      if (underWay >= preparedAtOnce || frames.size >= maxFrames) break
      const slide = playlist.slides[index]
      if (slide && !frames.has(index)) void prepareOne(index, slide)
    }
    // Prefetch only when no frame is loading, so that it takes no bandwidth from the next slides.
    if (underWay === 0) prefetch.want(later.flatMap(fileOf))
  }

  function fileOf(index: number): string[] {
    const slide = playlist.slides[index]
    return !slide || slide.isMoving || frames.has(index) ? [] : [addressFor(slide)]
  }

  /** Returns the queued slides that are not on the screen yet. */
  function ahead(): number[] {
    return queue.filter((index) => {
      const frame = frames.get(index)
      return !frame || !user.isOnScreen(frame)
    })
  }

  async function prepareOne(index: number, slide: PlaylistSlide): Promise<void> {
    const made = createFrame({
      slide,
      address: addressFor(slide),
      words: nameOf(index),
      isWideScreen: host.clientWidth > host.clientHeight,
      isStill: isAnimation(slide) && prefersStillness(),
    })
    const frame: Frame = { ...made, index, isReady: false }
    frames.set(index, frame)
    underWay += 1
    try {
      await frame.ready
      if (!has(frame)) return
      frame.isReady = true
      user.ready(frame)
      // The screen may have grown while the file was loading.
      chooseLarger(frame)
      layOutNext()
    } catch {
      fail(frame)
    } finally {
      underWay -= 1
      prepareMore()
    }
  }

  function addressFor(slide: PlaylistSlide): string {
    const screen = {
      widthPx: host.clientWidth * devicePixelRatio,
      heightPx: host.clientHeight * devicePixelRatio,
      isFilling: user.isFilling(),
    }
    // If the page has already loaded a file of this picture as its first frame, use that file.
    return firstFrameAddress(addressesOf(slide)) ?? pictureAddress(slide, screen)
  }

  function nameOf(index: number): string {
    const { caption = null, subfeed = null, alt = null } = playlist.slides[index] ?? {}
    if (caption !== null) return caption
    const slide = index + 1
    if (alt !== null) return words.slideShowing({ slide, alt })
    return subfeed === null ? words.slideNumber({ slide }) : words.slideFrom({ slide, subfeed })
  }

  /** Reports the slide as failed. A frame on the screen stays there until another replaces it. */
  function fail(frame: Frame): void {
    if (!has(frame)) return
    frames.delete(frame.index)
    if (!user.isOnScreen(frame)) frame.release()
    user.failed(frame.index)
  }

  function has(frame: Frame): boolean {
    return frames.get(frame.index) === frame
  }

  /** Chooses the files of all loaded pictures again after the screen has changed. */
  function chooseAgain(): void {
    for (const frame of frames.values()) if (frame.isReady) chooseLarger(frame)
    prepareMore()
  }

  /** Replaces the file of a picture by a larger one if the screen needs it. */
  function chooseLarger(frame: Frame): void {
    const slide = playlist.slides[frame.index]
    if (!slide || slide.isMoving) return
    const files = addressesOf(slide)
    const wished = addressFor(slide)
    // If the larger file fails, the smaller one stays.
    if (files.indexOf(wished) > files.indexOf(frame.address()))
      frame.replace(wished).catch(() => {})
  }

  /** Fails all loads in progress. The browser could wait for them for minutes. */
  function failPending(): void {
    prefetch.close()
    for (const frame of frames.values()) if (!frame.isReady) fail(frame)
  }

  /** Switches to other slides and keeps the frames of common ones. Returns the indexes that are ready. */
  function setPlaylist(next: StagePlaylist): number[] {
    const kept = [...frames.values()]
    frames.clear()
    queue = []
    later = []
    for (const frame of kept) {
      const before = playlist.slides[frame.index]
      frame.index = next.slides.findIndex(
        ({ id, mediaUrl }) => id === before?.id && mediaUrl === before.mediaUrl,
      )
      if (frame.index >= 0) frames.set(frame.index, frame)
      else if (!user.isOnScreen(frame)) frame.release()
    }
    playlist = next
    return [...frames.values()].filter(({ isReady }) => isReady).map(({ index }) => index)
  }

  return {
    get: (index: number) => frames.get(index),
    all: () => [...frames.values()],
    slideOf: ({ index }: Frame) => playlist.slides[index],
    has,
    nameOf,
    prepare,
    prepareAgain: () => prepare(queue),
    fail,
    chooseAgain,
    failPending,
    setPlaylist,
    close(): void {
      queue = []
      prefetch.close()
      for (const frame of frames.values()) frame.release()
      frames.clear()
    },
  }
}
