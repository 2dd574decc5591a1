/**
 * The pictures of a frame, one after the other for ever: plain DOM, as the player's stage is. What
 * cannot be loaded is passed over; where nothing can, it is tried again later. Other slides take the
 * place of the ones before at the next change, so that nothing on the screen jumps.
 */
import { chanceFrom } from '../../../contract/chance.ts'
import type { PlaylistSlide } from '../player/playlist.ts'
import { playFilm } from '../player/stage/film.ts'
import { pictureAddress } from '../player/stage/picture-address.ts'
import { createFrame, type SlideFrame } from '../player/stage/slide-frame.ts'
import { planTransition } from '../player/stage/transitions.ts'
import { slidesOf } from './frame-slides.ts'
import type { FramePlaylist, FrameSettings } from './frames-client.ts'
import { words } from './words.ts'

export type FrameShow = {
  show(playlist: FramePlaylist): void
  /** In quiet hours nothing moves and nothing is loaded. */
  setResting(isResting: boolean): void
  close(): void
}

/** A film that does not say how long it is, or hangs, does not hold the wall for longer. */
const longestFilmMs = 10 * 60_000
const tryAgainMs = 30_000

export function createFrameShow(
  host: HTMLElement,
  onSlide: (slide: PlaylistSlide | null) => void,
  isReduced: () => boolean,
): FrameShow {
  let slides: readonly PlaylistSlide[] = []
  let settings: FrameSettings | null = null
  let order: readonly number[] = []
  let place = -1
  let round = 0
  let current: SlideFrame | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let isResting = false
  let isClosed = false
  let isTurning = false

  function show(playlist: FramePlaylist): void {
    const shownId = slides[order[place] ?? -1]?.id
    settings = playlist.settings
    slides = slidesOf(playlist)
    order = orderOf(playlist.settings)
    // Goes on after what is on the screen, if that is still there.
    place = order.findIndex((index) => slides[index]?.id === shownId)
    if (slides.length === 0) return clear()
    if (!current && !isTurning) void turn()
  }

  function orderOf({ shuffle }: FrameSettings): number[] {
    const indexes = slides.map((_, index) => index)
    if (!shuffle) return indexes
    const chance = chanceFrom(`frame/${round}/${slides[0]?.id}`)
    for (let last = indexes.length - 1; last > 0; last -= 1) {
      const other = Math.floor(chance() * (last + 1))
      const [one = 0, two = 0] = [indexes[last], indexes[other]]
      indexes[last] = two
      indexes[other] = one
    }
    return indexes
  }

  function nextSlide(): PlaylistSlide | undefined {
    place += 1
    if (place >= order.length) {
      round += 1
      place = 0
      if (settings) order = orderOf(settings)
    }
    return slides[order[place] ?? -1]
  }

  /** To the next slide that can be shown; each is tried once. */
  async function turn(): Promise<void> {
    clearTimeout(timer)
    if (isClosed || isResting || isTurning || !settings) return
    isTurning = true
    try {
      for (let tries = slides.length; tries > 0; tries -= 1) {
        const slide = nextSlide()
        if (!slide) break
        const frame = createFrame({ slide, ...wishFor(slide) })
        const isReady = await frame.ready.then(
          () => true,
          () => false,
        )
        if (isClosed || isResting || !isReady) {
          frame.release()
          if (isClosed || isResting) return
          continue
        }
        put(frame, slide, settings)
        return
      }
      timer = setTimeout(() => void turn(), tryAgainMs)
    } finally {
      isTurning = false
    }
  }

  function wishFor(slide: PlaylistSlide) {
    const screen = {
      widthPx: host.clientWidth * devicePixelRatio,
      heightPx: host.clientHeight * devicePixelRatio,
      isFilling: false,
    }
    return {
      address: pictureAddress(slide, screen),
      words: slide.alt ?? slide.caption ?? words.picture,
      isWide: host.clientWidth > host.clientHeight,
    }
  }

  function put(frame: SlideFrame, slide: PlaylistSlide, { transition }: FrameSettings): void {
    const old = current
    current = frame
    const plan = planTransition(transition, {
      step: 1,
      holdMs: slide.holdMs,
      isReduced: isReduced(),
    })
    host.append(frame.element)
    frame.element.classList.add('is-shown')
    frame.element.ariaHidden = 'false'
    onSlide(slide)
    const timing = { duration: plan.durationMs, easing: plan.easing }
    frame.element.animate(plan.enter, { ...timing, fill: 'backwards' })
    if (old) {
      const leaving = old.element.animate(plan.leave, { ...timing, fill: 'forwards' })
      leaving.addEventListener('finish', () => old.release(), { once: true })
    }
    const { media } = frame
    if (media instanceof HTMLVideoElement) {
      // Nobody is there who could have asked for sound.
      media.muted = true
      void playFilm(media, () => {})
      if (slide.endsItself) media.addEventListener('ended', () => void turn(), { once: true })
    }
    const waitMs = slide.endsItself ? longestFilmMs : slide.holdMs
    timer = setTimeout(() => void turn(), waitMs)
  }

  function clear(): void {
    clearTimeout(timer)
    current?.release()
    current = null
    onSlide(null)
  }

  return {
    show,
    setResting(resting) {
      if (resting === isResting) return
      isResting = resting
      if (resting) clear()
      else void turn()
    },
    close() {
      isClosed = true
      clear()
      host.replaceChildren()
    },
  }
}
