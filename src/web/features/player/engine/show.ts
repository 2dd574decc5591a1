/**
 * The show as an immutable value: the current slide, the wanted slide, and whether time passes. Functions
 * that change a show return a new one. Nothing here uses a browser, a timer or a picture.
 */
import { orderFrom, orderOfRound, shuffled } from './schedule.ts'
import { speedBeside } from './speeds.ts'

export type ShowSlide = {
  readonly id: number
  readonly holdMs: number
  /** True for a video without a fixed time: the slide is over when the video ends. */
  readonly endsItself: boolean
}

/** The reasons why time does not pass although the show is not paused. */
export type Freeze = 'hidden' | 'finger' | 'closer' | 'scrubbing' | 'sheet'

type Step = 1 | -1

export type Show = {
  readonly slides: readonly ShowSlide[]
  readonly seed: string
  readonly round: number
  /** The indexes of the slides in the order of this round. `position` is an index of this array. */
  readonly order: readonly number[]
  /** The orders of earlier rounds, the latest last, for going back past the start of a round. */
  readonly past: readonly (readonly number[])[]
  /** The slide on the screen; null before the first slide. */
  readonly position: number | null
  /** The slide to show as soon as it is ready. */
  readonly wanted: { readonly position: number; readonly step: Step } | null
  /** The number of slide changes so far. `step` is the direction of the last one. */
  readonly turn: number
  readonly step: Step
  /** The part of its `holdMs` that the current slide has used. Speed is included. */
  readonly elapsedMs: number
  readonly hasEnded: boolean
  readonly isSpeaking: boolean
  readonly isRunning: boolean
  readonly isByHand: boolean
  readonly isLooping: boolean
  readonly isShuffled: boolean
  readonly speed: number
  readonly freezes: ReadonlySet<Freeze>
  readonly ready: ReadonlySet<number>
  readonly broken: ReadonlySet<number>
  /** Slides that failed to load, before it is known if the slide or the network is the cause. */
  readonly missing: ReadonlySet<number>
  readonly isOver: boolean
}

const maxPastRounds = 10

type Beginning = Pick<Show, 'slides' | 'seed' | 'isByHand'> &
  Partial<Pick<Show, 'isLooping' | 'isShuffled' | 'speed'>> & {
    /** The index of the slide to start with, if not the first. */
    readonly startIndex?: number | undefined
  }

export function beginShow(beginning: Beginning): Show {
  const { slides, seed, isByHand, startIndex } = beginning
  const { isLooping = false, isShuffled = false, speed = 1 } = beginning
  const order = orderFrom(startIndex, { count: slides.length, seed, isShuffled })
  const position = startIndex === undefined ? 0 : Math.max(0, order.indexOf(startIndex))
  return {
    slides,
    seed,
    round: 0,
    order,
    past: [],
    position: null,
    wanted: slides.length > 0 ? { position, step: 1 } : null,
    turn: 0,
    step: 1,
    elapsedMs: 0,
    hasEnded: false,
    isSpeaking: false,
    isRunning: true,
    isByHand,
    isLooping,
    isShuffled,
    speed,
    freezes: new Set(),
    ready: new Set(),
    broken: new Set(),
    missing: new Set(),
    isOver: slides.length === 0,
  }
}

/** Returns the index of the slide on the screen. */
export function shownIndex(show: Show): number | null {
  return show.position === null ? null : (show.order[show.position] ?? null)
}

/** True when time passes for the current slide. */
export function isTicking(show: Show): boolean {
  return show.isRunning && show.position !== null && show.freezes.size === 0 && !show.isOver
}

/** Returns the time until the next slide is due; null while the show waits for something else. */
export function dueInMs(show: Show): number | null {
  if (!isTicking(show) || show.isByHand || show.wanted !== null || show.isSpeaking) return null
  const slide = shownSlide(show)
  if (!slide) return null
  if (slide.endsItself) return show.hasEnded ? 0 : null
  return Math.max(0, slide.holdMs - show.elapsedMs) / show.speed
}

export function elapse(show: Show, ms: number): Show {
  if (!isTicking(show)) return show
  const later = { ...show, elapsedMs: show.elapsedMs + ms * show.speed }
  return dueInMs(later) === 0 ? want(later, (later.position ?? -1) + 1, 1) : later
}

export function markReady(show: Show, index: number): Show {
  return settle({ ...show, ready: new Set([...show.ready, index]) })
}

export function markReleased(show: Show, index: number): Show {
  if (!show.ready.has(index)) return show
  return { ...show, ready: without(show.ready, index) }
}

/** Marks a slide as missing. It is not requested again before `askAgain`. */
export function markMissing(show: Show, index: number): Show {
  return markReleased({ ...show, missing: new Set([...show.missing, index]) }, index)
}

/** Requests missing and broken slides again. A slide that failed while it was shown starts again. */
export function askAgain(show: Show): Show {
  const isOnMissing = show.missing.has(shownIndex(show) ?? -1) && show.wanted === null
  // After the end, keep the broken slides: the end card shows them as the reason until the next play.
  const broken = show.isOver ? show.broken : new Set<number>()
  const fresh = { ...show, broken, missing: new Set<number>() }
  return isOnMissing ? want(fresh, show.position ?? 0, 1) : fresh
}

/** Marks a slide that cannot be shown, or that failed while it was shown. The show skips it. */
export function markBroken(show: Show, index: number): Show {
  const broken = new Set([...show.broken, index])
  const left = markReleased({ ...show, broken, missing: without(show.missing, index) }, index)
  const isOn = shownIndex(left) === index && left.wanted === null
  return isOn ? want(left, (left.position ?? -1) + 1, 1) : settle(left)
}

export function markEnded(show: Show, index: number): Show {
  return shownIndex(show) === index ? elapse({ ...show, hasEnded: true }, 0) : show
}

export function setSpeaking(show: Show, isSpeaking: boolean): Show {
  return show.isSpeaking === isSpeaking ? show : elapse({ ...show, isSpeaking }, 0)
}

export function setFrozen(show: Show, why: Freeze, isFrozen: boolean): Show {
  const others = without(show.freezes, why)
  return { ...show, freezes: isFrozen ? others.add(why) : others }
}

export function play(show: Show): Show {
  if (!show.isOver) return { ...show, isRunning: true }
  if (show.slides.length === 0) return show
  return settle(beginRound(askAgain({ ...show, isRunning: true, isOver: false })))
}

export function pause(show: Show): Show {
  return { ...show, isRunning: false }
}

export function next(show: Show): Show {
  return want(show, (show.wanted?.position ?? show.position ?? -1) + 1, 1)
}

export function previous(show: Show): Show {
  const from = show.isOver ? show.order.length : (show.wanted?.position ?? show.position ?? 0)
  if (from > 0) return want({ ...show, isOver: false }, from - 1, -1)
  if (!show.isLooping) return show.position === null ? show : arrive(show, show.position, -1)
  const { past, round } = show
  const order = past.at(-1)
  if (!order) return want(show, show.order.length - 1, -1)
  const before = { ...show, order, past: past.slice(0, -1), round: round - 1, position: null }
  return want(before, order.length - 1, -1)
}

export function goTo(show: Show, position: number): Show {
  const inside = Math.max(0, Math.min(show.order.length - 1, Math.round(position)))
  if (inside === show.position && !show.isOver) return { ...show, wanted: null }
  return want({ ...show, isOver: false }, inside, inside < (show.position ?? 0) ? -1 : 1)
}

export function setSpeed(show: Show, speed: number): Show {
  return { ...show, speed: speedBeside(speed, 0) }
}

export function setByHand(show: Show, isByHand: boolean): Show {
  return { ...show, isByHand, elapsedMs: 0 }
}

export function setLooping(show: Show, isLooping: boolean): Show {
  return { ...show, isLooping }
}

/** Shuffles or sorts only the slides of this round that have not been shown yet. */
export function setShuffled(show: Show, isShuffled: boolean): Show {
  const past = show.order.slice(0, (show.position ?? -1) + 1)
  const rest = show.order.slice(past.length)
  const order = isShuffled
    ? [...past, ...shuffled(rest, `${show.seed}/round ${show.round}`)]
    : [...past, ...rest.sort((one, other) => one - other)]
  const wanted =
    show.position === null && show.slides.length > 0 ? { position: 0, step: 1 as const } : null
  return settle({ ...show, isShuffled, order, wanted })
}

/** Requests the slide at `position`. It is shown at once if it is ready, and skipped if it is broken. */
function want(show: Show, position: number, step: Step): Show {
  return settle({ ...show, wanted: { position, step } })
}

function settle(show: Show): Show {
  let current = show
  // Each pass skips one broken slide, so two rounds are always enough.
  for (let passes = 0; passes <= show.slides.length * 2; passes += 1) {
    const { wanted, order } = current
    if (wanted === null) return current
    if (wanted.position < 0) return { ...current, wanted: null }
    const index = order[wanted.position]
    if (index === undefined) {
      if (!current.isLooping || current.broken.size >= current.slides.length) return end(current)
      current = beginRound(current)
    } else if (current.broken.has(index)) {
      current = { ...current, wanted: { ...wanted, position: wanted.position + wanted.step } }
    } else return current.ready.has(index) ? arrive(current, wanted.position, wanted.step) : current
  }
  return end(current)
}

function arrive(show: Show, position: number, step: Step): Show {
  return {
    ...show,
    position,
    step,
    wanted: null,
    turn: show.turn + 1,
    elapsedMs: 0,
    hasEnded: false,
    isSpeaking: false,
    isOver: false,
  }
}

function end(show: Show): Show {
  return { ...show, wanted: null, isOver: true, isRunning: false }
}

function beginRound(show: Show): Show {
  const past = [...show.past, show.order].slice(-maxPastRounds)
  const fresh = { ...show, order: nextOrder(show), past, round: show.round + 1 }
  return { ...fresh, position: null, wanted: { position: 0, step: 1 } }
}

/** Returns the order of the next round. */
export function nextOrder(show: Show): number[] {
  const { slides, seed, round, isShuffled, order } = show
  return orderOfRound({
    count: slides.length,
    seed,
    round: round + 1,
    isShuffled,
    after: order.at(-1) ?? null,
  })
}

function shownSlide(show: Show): ShowSlide | undefined {
  const index = shownIndex(show)
  return index === null ? undefined : show.slides[index]
}

function without<Item>(set: ReadonlySet<Item>, item: Item): Set<Item> {
  return new Set([...set].filter((one) => one !== item))
}
