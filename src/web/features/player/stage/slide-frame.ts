/**
 * One slide as an element: a dark frame that covers the one below, with the picture or video in it. It
 * is ready when it can be shown without a flash. `release` frees its memory.
 */
import { loadFilm } from '../../../ui/film-source.ts'
import type { PlaylistSlide } from '../playlist.ts'
import { addBackdrop } from './backdrop.ts'

export type SlideFrame = {
  readonly element: HTMLElement
  readonly media: HTMLImageElement | HTMLVideoElement
  /** Settles when the slide can be shown; rejects when it never can. */
  readonly ready: Promise<void>
  /** Sets the text that describes the picture to screen readers. */
  describe(words: string): void
  /** Returns the address of the picture that is shown, as the playlist has it. */
  address(): string
  /** Replaces the file that is shown by a larger one. */
  replace(address: string): Promise<void>
  release(): void
}

export type FrameWish = {
  readonly slide: PlaylistSlide
  /** The address of the file to load. */
  readonly address: string
  readonly words: string
  /** True when the screen is wider than it is high. */
  readonly isWideScreen: boolean
  /** True to show only the first frame of an animation. */
  readonly isStill: boolean
}

/** The time limit for loading a picture or video. */
const patienceMs = 30_000

export function createFrame({
  slide,
  address,
  words,
  isWideScreen,
  isStill,
}: FrameWish): SlideFrame {
  const element = document.createElement('div')
  element.className = 'player-frame'
  element.ariaHidden = 'true'
  const media = slide.isMoving ? createVideo(slide) : createPicture(slide)
  element.append(media)
  describe(words)
  let shown = address
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), patienceMs)
  const outcome = Promise.race([load(), refusalOf(giveUp.signal)]).finally(() =>
    clearTimeout(timer),
  )
  // Prevents an unhandled rejection when no caller awaits `ready`.
  outcome.catch(() => {})

  async function load(): Promise<void> {
    if (media instanceof HTMLVideoElement)
      return await loadVideo(media, slide.mediaUrl, giveUp.signal)
    // If this size is missing, load the original.
    await loadPicture(media, address).catch((error: unknown) => {
      if (address === slide.mediaUrl || giveUp.signal.aborted) throw error
      shown = slide.mediaUrl
      return loadPicture(media, shown)
    })
    if (isStill) addStill(element, media)
    // If the backdrop fails, the bars stay dark.
    await addBackdrop(element, media, isWideScreen).catch(() => {})
  }

  function describe(text: string): void {
    if (media instanceof HTMLVideoElement) media.ariaLabel = text
    else media.alt = text
  }

  return {
    element,
    media,
    ready: outcome,
    describe,
    address: () => shown,
    async replace(larger) {
      if (media instanceof HTMLVideoElement || shown === larger) return
      // Decode in a separate element, so that the visible picture stays until the new one is ready.
      await loadPicture(new Image(), larger)
      if (giveUp.signal.aborted) return
      shown = larger
      media.src = larger
    },
    release() {
      giveUp.abort()
      element.remove()
      if (media instanceof HTMLVideoElement) media.pause()
      media.removeAttribute('src')
      if (media instanceof HTMLVideoElement) media.load()
      // This must be last. After a change of `src`, Chromium keeps a reference to a picture until it is
      // removed from its parent; otherwise the picture and its frame stay in memory.
      media.remove()
    },
  }
}

function createPicture({ focus }: PlaylistSlide): HTMLImageElement {
  const picture = document.createElement('img')
  picture.draggable = false
  // The picture is decoded before it is shown. Asynchronous decoding would cause a flash.
  picture.decoding = 'sync'
  if (focus) picture.style.setProperty('--focus', `${focus.x * 100}% ${focus.y * 100}%`)
  return picture
}

function createVideo(slide: PlaylistSlide): HTMLVideoElement {
  const video = document.createElement('video')
  video.playsInline = true
  video.preload = 'auto'
  video.disablePictureInPicture = true
  video.loop = !slide.endsItself
  return video
}

function loadPicture(picture: HTMLImageElement, address: string): Promise<void> {
  picture.src = address
  return picture.decode()
}

/** Covers an animation with its first frame: a canvas draws only that one. */
function addStill(element: HTMLElement, picture: HTMLImageElement): void {
  const canvas = document.createElement('canvas')
  canvas.className = 'player-still'
  canvas.width = picture.naturalWidth
  canvas.height = picture.naturalHeight
  canvas.getContext('2d')?.drawImage(picture, 0, 0)
  element.append(canvas)
}

function loadVideo(video: HTMLVideoElement, address: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener('canplay', () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error('the video cannot be played')), {
      once: true,
    })
    loadFilm(video, address, signal)
  })
}

function refusalOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true })
  })
}
