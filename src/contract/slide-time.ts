/**
 * Computes the current slide of a room from its state and the time alone (contract, section 17). Server and
 * screens share these functions, so every screen finds the same slide by itself.
 */
import { randomFrom } from './random.ts'

/** Both in seconds, as in sessions. */
export type Intervals = { readonly intervalMin: number; readonly intervalMax: number }

/** The fields that determine how long a slide is shown. */
export type TimedSlide = {
  readonly id: number
  readonly type: 'image' | 'gif' | 'video'
  readonly durationMs: number | null
  readonly lengthMs: number | null
}

export type Timeline = {
  readonly status: 'waiting' | 'playing' | 'paused' | 'ended'
  readonly slide: number
  readonly slideStartedAt: number
  readonly positionMs: number
  readonly seed: string
  readonly speed: number
  readonly settings: Intervals & { readonly loop: boolean }
}

export type Running = {
  readonly slide: number
  readonly slideStartedAt: number
  /** The time within the slide, at speed 1. */
  readonly positionMs: number
  /** The time when the next slide starts. Null if no slide follows by itself. */
  readonly endsAt: number | null
}

const longestFilmMs = 10 * 60 * 1000

/** Returns the duration of a slide without its own: a value between the two, chosen by the seed. */
export function intervalMsOf(id: number, pace: Intervals & { readonly seed: string }): number {
  const { seed, intervalMin, intervalMax } = pace
  return Math.round(
    1000 * (intervalMin + (intervalMax - intervalMin) * randomFrom(`${seed}/${id}`)()),
  )
}

/** Returns the duration of a slide at speed 1. */
export function slideMsOf(
  slide: TimedSlide,
  { seed, settings }: Pick<Timeline, 'seed' | 'settings'>,
): number {
  if (slide.durationMs) return slide.durationMs
  if (slide.type === 'video' && slide.lengthMs) return Math.min(slide.lengthMs, longestFilmMs)
  return intervalMsOf(slide.id, { seed, ...settings })
}

/** Returns the current slide at a time of the server's clock. */
export function runningSlide(
  state: Timeline,
  slides: readonly TimedSlide[],
  nowMs: number,
): Running {
  // Slides can be removed from the session while it plays.
  const first = Math.max(0, Math.min(state.slide, slides.length - 1))
  const { slideStartedAt, positionMs } = state
  if (state.status !== 'playing' || slides.length === 0)
    return { slide: first, slideStartedAt, positionMs, endsAt: null }
  const { loop } = state.settings
  const times = slides.map((slide) => slideMsOf(slide, state))
  const wholeMs = times.reduce((sum, ms) => sum + ms, 0)
  const elapsedMs = Math.max(0, (nowMs - slideStartedAt) * state.speed)
  // Skips whole rounds at once: a room may play for hours.
  const roundsMs = loop ? Math.floor(elapsedMs / wholeMs) * wholeMs : 0
  let slide = first
  let leftMs = elapsedMs - roundsMs
  let slideMs = times[slide] ?? 0
  // Without a loop, the last slide stays.
  const max = loop ? Infinity : slides.length - 1
  while (leftMs >= slideMs && slide < max) {
    leftMs -= slideMs
    slide = (slide + 1) % slides.length
    slideMs = times[slide] ?? 0
  }
  const startedAt = slideStartedAt + (elapsedMs - leftMs) / state.speed
  const isLast = !loop && slide === slides.length - 1
  return {
    slide,
    slideStartedAt: startedAt,
    positionMs: Math.min(leftMs, slideMs),
    endsAt: isLast ? null : startedAt + slideMs / state.speed,
  }
}
