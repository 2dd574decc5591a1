/**
 * One slide as an element: a dark frame that covers the one below, with the picture or video in it.
 * It is ready when it can be put on the screen without a flash, and gives its memory back when told.
 */
import type { PlaylistSlide } from '../playlist.ts'

export type SlideFrame = {
  readonly element: HTMLElement
  readonly media: HTMLImageElement | HTMLVideoElement
  /** Settles when the slide can be shown; rejects when it never can. */
  readonly ready: Promise<void>
  release(): void
}

/** After this long, media that has not come is given up. */
const patienceMs = 30_000

export function createFrame(slide: PlaylistSlide, words: string): SlideFrame {
  const element = document.createElement('div')
  element.className = 'player-frame'
  element.ariaHidden = 'true'
  const media = slide.isMoving ? createVideo(slide) : createPicture(words)
  element.append(media)
  const giveUp = new AbortController()
  const ready = media instanceof HTMLVideoElement ? untilPlayable(media) : untilDecoded(media)
  media.src = slide.mediaUrl
  const timer = setTimeout(() => giveUp.abort(), patienceMs)
  const outcome = Promise.race([ready(), refusalOf(giveUp.signal)]).finally(() =>
    clearTimeout(timer),
  )
  // A frame that nobody waits for any more fails silently.
  outcome.catch(() => {})
  return {
    element,
    media,
    ready: outcome,
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

function createPicture(words: string): HTMLImageElement {
  const picture = document.createElement('img')
  picture.alt = words
  picture.draggable = false
  // It has been decoded by the time it is shown; painting it later would be a flash.
  picture.decoding = 'sync'
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

function untilDecoded(picture: HTMLImageElement): () => Promise<void> {
  return () => picture.decode()
}

function untilPlayable(video: HTMLVideoElement): () => Promise<void> {
  return () =>
    new Promise((resolve, reject) => {
      video.addEventListener('canplay', () => resolve(), { once: true })
      video.addEventListener('error', () => reject(new Error('the video cannot be played')), {
        once: true,
      })
      video.load()
    })
}

function refusalOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true })
  })
}
