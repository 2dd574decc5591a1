/** Changes to the slides of a show while it plays: their times, and the list itself. */
import { beginShow, elapse, markReady, type Show, type ShowSlide, shownIndex } from './show.ts'

/** Sets the time of a video to its length, which is known only after it has loaded. */
export function learnLength(show: Show, index: number, ms: number): Show {
  return show.slides[index]?.endsItself ? changeSlide(show, index, { holdMs: ms }) : show
}

/** Shows a video as a picture for this long, because the browser does not allow it to play. */
export function holdAsPicture(show: Show, index: number, holdMs: number): Show {
  return elapse(changeSlide(show, index, { holdMs, endsItself: false }), 0)
}

/** Sets the times of all slides except videos that end by themselves, which keep their length. */
export function setHolds(show: Show, holdMsOf: (index: number) => number): Show {
  const slides = show.slides.map((slide, index) =>
    slide.endsItself ? slide : { ...slide, holdMs: holdMsOf(index) },
  )
  return elapse({ ...show, slides }, 0)
}

/**
 * Replaces the slides; those in `ready` can be shown already. The current slide stays for the rest of its
 * time if it is still among them. Otherwise the show starts with the first slide that can be shown.
 */
export function setSlides(
  show: Show,
  slides: readonly ShowSlide[],
  ready: readonly number[],
): Show {
  const shown = show.slides[shownIndex(show) ?? -1]
  const index = slides.findIndex(({ id }) => id === shown?.id)
  const startIndex = index < 0 ? undefined : index
  const { freezes, turn, elapsedMs, hasEnded } = show
  // A show that is over is not paused. With other slides it plays on.
  const isRunning = show.isRunning || show.isOver
  const begun = { ...beginShow({ ...show, slides, startIndex }), isRunning, freezes, turn }
  if (index < 0) return ready.reduce(markReady, begun)
  const { wanted } = begun
  const on = { ...begun, position: wanted?.position ?? 0, wanted: null, elapsedMs, hasEnded }
  return ready.reduce(markReady, on)
}

function changeSlide(show: Show, index: number, change: Partial<ShowSlide>): Show {
  const slides = show.slides.map((slide, at) => (at === index ? { ...slide, ...change } : slide))
  return { ...show, slides }
}
