/**
 * Computes the frames of an animation and their durations. Every picture is shown for `frameMs`, whatever
 * the effect. The number of frames of an effect depends on the cost of all frames.
 */
export type Effect = 'cut' | 'crossfade' | 'zoom'
export type AnimationFormat = 'gif' | 'webp'

export type Frame = {
  /** The index of the picture. */
  readonly picture: number
  /** The index of the picture that it fades into, and that picture's visible share from 0 to 1. */
  readonly next: number
  readonly nextShare: number
  /** A zoom of 1 shows the whole picture. */
  readonly zoom: number
  readonly delayMs: number
}

export type AnimationPlan = {
  readonly pictures: number
  readonly frameMs: number
  readonly effect: Effect
  readonly sizePx: number
  readonly format: AnimationFormat
}

export const furthestZoom = 1.2

// The limit of pixels in all frames, so that an animation takes seconds: the palette of a GIF costs about
// half a second per megapixel. An effect has at least two frames per picture.
const maxPixels: Readonly<Record<AnimationFormat, number>> = { gif: 26_000_000, webp: 52_000_000 }
const maxFramesPerPicture = 8
const longestFadeMs = 600
const fadeStepMs = 50
const zoomStepMs = 80
// The unit of delays. GIF uses hundredths of a second.
const unitMs: Readonly<Record<AnimationFormat, number>> = { gif: 10, webp: 1 }

export function planFrames(plan: AnimationPlan): Frame[] {
  const perPicture = framesPerPicture(plan)
  const exact = Array.from({ length: plan.pictures }, (_, picture) => {
    const next = (picture + 1) % plan.pictures
    return momentsOf(plan, perPicture).map((moment) => ({ ...moment, picture, next }))
  }).flat()
  return inWholeUnits(exact, unitMs[plan.format])
}

function framesPerPicture({ pictures, frameMs, effect, sizePx, format }: AnimationPlan): number {
  if (effect === 'cut') return 1
  const wanted =
    effect === 'crossfade'
      ? 1 + Math.round(fadeMsOf(frameMs) / fadeStepMs)
      : Math.round(frameMs / zoomStepMs)
  const affordable = Math.floor(maxPixels[format] / (pictures * sizePx * sizePx))
  return Math.max(2, Math.min(wanted, affordable, maxFramesPerPicture))
}

function fadeMsOf(frameMs: number): number {
  return Math.min(frameMs / 2, longestFadeMs)
}

/** Returns the frames of one picture in order. */
function momentsOf({ frameMs, effect }: AnimationPlan, count: number) {
  if (effect === 'cut') return [{ nextShare: 0, zoom: 1, delayMs: frameMs }]
  return Array.from({ length: count }, (_, index) => {
    if (effect === 'zoom') {
      const zoom = 1 + ((furthestZoom - 1) * index) / (count - 1)
      return { nextShare: 0, zoom, delayMs: frameMs / count }
    }
    const fadeMs = fadeMsOf(frameMs)
    const delayMs = index === 0 ? frameMs - fadeMs : fadeMs / (count - 1)
    return { nextShare: index / count, zoom: 1, delayMs }
  })
}

/** Rounds by the total time passed, so that rounding errors of many frames do not add up. */
function inWholeUnits(frames: readonly Frame[], unit: number): Frame[] {
  let passedMs = 0
  let shownMs = 0
  return frames.map((frame) => {
    passedMs += frame.delayMs
    const delayMs = Math.round((passedMs - shownMs) / unit) * unit
    shownMs += delayMs
    return { ...frame, delayMs }
  })
}
