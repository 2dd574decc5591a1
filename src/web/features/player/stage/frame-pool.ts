/**
 * The frames of the slides that are on the screen or come next: the first ones first, two at a time,
 * and never more than a phone has memory for.
 */
import { firstFrameAddress } from '../../../first-frame.tsx'
import type { PlaylistSlide, StagePlaylist } from '../playlist.ts'
import { words } from '../words.ts'
import { addressesOf, pictureAddress } from './picture-address.ts'
import { createPrefetch } from './prefetch.ts'
import { createFrame, type SlideFrame } from './slide-frame.ts'

export type Frame = SlideFrame & {
  /** Of its slide; -1 once the playlist has it no more. */
  index: number
  isReady: boolean
}

type PoolUser = {
  readonly isFilling: () => boolean
  readonly isReduced: () => boolean
  readonly isOnScreen: (frame: Frame) => boolean
  /** During a change of slides, which has the machine to itself. */
  readonly isChanging: () => boolean
  readonly ready: (frame: Frame) => void
  readonly failed: (index: number) => void
  readonly released: (index: number) => void
}

/** Two at a time: a slow one does not hold up the others, and the next is not robbed of its share. */
const preparedAtOnce = 2
/** A phone has memory for so many decoded pictures: during a change, the two and the one after. */
const mostFrames = 3

/** An animation, which is shown from its beginning, or as a still. */
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

  /** Loads these slides and releases all others that are not on the screen; fetches the later ones. */
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
   * The next picture lies on the screen before its time, too faint to be seen: what takes long about
   * a large picture is then done before it moves. Not during a transition, which has the machine.
   */
  function layOutNext(): void {
    if (user.isChanging()) return
    const next = ahead().find((index) => frames.get(index)?.isReady)
    for (const [index, frame] of frames) {
      if (user.isOnScreen(frame)) continue
      // On the page an animation would run before it is seen.
      if (index !== next || isAnimation(playlist.slides[index])) frame.element.remove()
      else if (!frame.element.isConnected) host.append(frame.element)
    }
  }

  function prepareMore(): void {
    const [next] = ahead()
    const isNextReady = next === undefined || frames.get(next)?.isReady === true
    // The frames that are loaded suffice until a transition is over.
    if (user.isChanging() && isNextReady) return
    for (const index of queue) {
      if (underWay >= preparedAtOnce || frames.size >= mostFrames) break
      const slide = playlist.slides[index]
      if (slide && !frames.has(index)) void prepareOne(index, slide)
    }
    // Files that are not needed soon do not share the line with those that are.
    if (underWay === 0) prefetch.want(later.flatMap(fileOf))
  }

  function fileOf(index: number): string[] {
    const slide = playlist.slides[index]
    return !slide || slide.isMoving || frames.has(index) ? [] : [wishFor(index, slide).address]
  }

  /** The slide that is wanted and not on the screen yet. */
  function ahead(): number[] {
    return queue.filter((index) => {
      const frame = frames.get(index)
      return !frame || !user.isOnScreen(frame)
    })
  }

  async function prepareOne(index: number, slide: PlaylistSlide): Promise<void> {
    const made = createFrame({ slide, ...wishFor(index, slide) })
    const frame: Frame = { ...made, index, isReady: false }
    frames.set(index, frame)
    underWay += 1
    try {
      await frame.ready
      if (!has(frame)) return
      frame.isReady = true
      user.ready(frame)
      // The screen may have grown while the file was loaded.
      chooseLarger(frame)
      layOutNext()
    } catch {
      fail(frame)
    } finally {
      underWay -= 1
      prepareMore()
    }
  }

  function wishFor(index: number, slide: PlaylistSlide) {
    const screen = {
      widthPx: host.clientWidth * devicePixelRatio,
      heightPx: host.clientHeight * devicePixelRatio,
      isFilling: user.isFilling(),
    }
    const isWideScreen = host.clientWidth > host.clientHeight
    // A picture that is on the page is not loaded in another size.
    const address = firstFrameAddress(addressesOf(slide)) ?? pictureAddress(slide, screen)
    const isStill = isAnimation(slide) && user.isReduced()
    return { words: nameOf(index), address, isWideScreen, isStill }
  }

  function nameOf(index: number): string {
    const { caption = null, subfeed = null, alt = null } = playlist.slides[index] ?? {}
    if (caption !== null) return caption
    const slide = index + 1
    if (alt !== null) return words.slideShowing({ slide, alt })
    return subfeed === null ? words.slideNumber({ slide }) : words.slideFrom({ slide, subfeed })
  }

  /** While it is on the screen, its last picture stays there until something takes its place. */
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

  /** Replaces the file of a picture by a larger one where the screen needs it. */
  function chooseLarger(frame: Frame): void {
    const slide = playlist.slides[frame.index]
    if (!slide || slide.isMoving) return
    const files = addressesOf(slide).map((address) => new URL(address, document.baseURI).href)
    const wished = new URL(wishFor(frame.index, slide).address, document.baseURI).href
    // Where the larger file fails, the smaller one stays.
    if (files.indexOf(wished) > files.indexOf(frame.address()))
      frame.replace(wished).catch(() => {})
  }

  /** Fails the load under way, which the browser may wait for for minutes. */
  function failPending(): void {
    prefetch.close()
    for (const frame of frames.values()) if (!frame.isReady) fail(frame)
  }

  /** Goes on with other slides. Frames of slides that stay are kept; gives the indexes of the ready ones. */
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
