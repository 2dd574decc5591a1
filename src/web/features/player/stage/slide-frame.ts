/**
 * One slide as an element: a dark frame that covers the one below, with the picture or video in it.
 * It is ready when it can be put on the screen without a flash, and gives its memory back when told.
 */
import { loadFilm } from '../../../ui/film-source.ts'
import type { PlaylistSlide } from '../playlist.ts'
import { addBackdrop } from './backdrop.ts'

export type SlideFrame = {
  readonly element: HTMLElement
  readonly media: HTMLImageElement | HTMLVideoElement
  /** Settles when the slide can be shown; rejects when it never can. */
  readonly ready: Promise<void>
  /** Says in words what is to be seen. */
  describe(words: string): void
  /** The file that is shown. */
  address(): string
  /** Puts a larger file in place of the one that is shown. */
  replace(address: string): Promise<void>
  release(): void
}

export type FrameWish = {
  readonly slide: PlaylistSlide
  /** What is loaded of it. */
  readonly address: string
  readonly words: string
  /** Whether the screen is wider than it is high. */
  readonly isWideScreen: boolean
  /** An animation is shown as its first picture. */
  readonly isStill: boolean
}

/** After this long, media that has not come is given up. */
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
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(), patienceMs)
  const outcome = Promise.race([load(), refusalOf(giveUp.signal)]).finally(() =>
    clearTimeout(timer),
  )
  // A frame that nobody waits for any more fails silently.
  outcome.catch(() => {})

  async function load(): Promise<void> {
    if (media instanceof HTMLVideoElement)
      return await loadVideo(media, slide.mediaUrl, giveUp.signal)
    // A size that has gone is no reason to do without the picture.
    await loadPicture(media, address).catch((error: unknown) => {
      if (address === slide.mediaUrl || giveUp.signal.aborted) throw error
      return loadPicture(media, slide.mediaUrl)
    })
    if (isStill) addStill(element, media)
    // Without it the picture stands before the dark.
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
    address: () => media.src,
    async replace(larger) {
      if (media instanceof HTMLVideoElement || media.src === absolute(larger)) return
      // Decoded apart, so that the picture that is looked at stays until it can be replaced.
      await loadPicture(new Image(), larger)
      if (!giveUp.signal.aborted) media.src = larger
    },
    release() {
      giveUp.abort()
      element.remove()
      if (media instanceof HTMLVideoElement) media.pause()
      media.removeAttribute('src')
      if (media instanceof HTMLVideoElement) media.load()
      // Last of all: Chromium lists a picture whose source changes until it is taken out of its
      // parent, and holds it and its frame as long as the page lives.
      media.remove()
    },
  }
}

function createPicture({ focus }: PlaylistSlide): HTMLImageElement {
  const picture = document.createElement('img')
  picture.draggable = false
  // It has been decoded by the time it is shown; painting it later would be a flash.
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

/** Covers a moving picture with its first one, which is what a canvas draws of it. */
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

function absolute(address: string): string {
  return new URL(address, document.baseURI).href
}

function refusalOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true })
  })
}
