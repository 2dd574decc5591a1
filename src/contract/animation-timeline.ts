/**
 * Which frames an animation has and how long each is seen. Every picture has its `frameMs`, whatever
 * the effect does within it; how finely an effect is divided depends on what all frames will cost.
 */
export type Effect = 'cut' | 'crossfade' | 'zoom'
export type AnimationFormat = 'gif' | 'webp'

export type Frame = {
  /** Which picture, by its place. */
  readonly picture: number
  /** The one that it fades into, and how much of that is seen already, from 0 to 1. */
  readonly next: number
  readonly nextShare: number
  /** 1 shows all of the picture. */
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

// What all frames together may have, so that an animation takes seconds: a GIF's palette costs about
// half a second a megapixel. An effect has two frames a picture in any case.
const mostPixels: Readonly<Record<AnimationFormat, number>> = { gif: 26_000_000, webp: 52_000_000 }
const mostFramesPerPicture = 8
const longestFadeMs = 600
const fadeStepMs = 50
const zoomStepMs = 80
// GIF counts in hundredths of a second.
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
  const affordable = Math.floor(mostPixels[format] / (pictures * sizePx * sizePx))
  return Math.max(2, Math.min(wanted, affordable, mostFramesPerPicture))
}

function fadeMsOf(frameMs: number): number {
  return Math.min(frameMs / 2, longestFadeMs)
}

/** What is seen of one picture, one after the other. */
function momentsOf({ frameMs, effect }: AnimationPlan, count: number) {
  if (effect === 'cut') return [{ nextShare: 0, zoom: 1, delayMs: frameMs }]
  return Array.from({ length: count }, (_, place) => {
    if (effect === 'zoom') {
      const zoom = 1 + ((furthestZoom - 1) * place) / (count - 1)
      return { nextShare: 0, zoom, delayMs: frameMs / count }
    }
    const fadeMs = fadeMsOf(frameMs)
    const delayMs = place === 0 ? frameMs - fadeMs : fadeMs / (count - 1)
    return { nextShare: place / count, zoom: 1, delayMs }
  })
}

/** Rounded by the time that has passed, so that the rounding of many frames does not add up. */
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
