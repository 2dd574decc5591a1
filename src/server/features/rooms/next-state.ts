/** Computes a room's next state from its state, a command, the slides and the time. A pure function. */
import type { RoomCommand, RoomState } from '../../../contract/rooms.ts'
import type { TimedSlide } from '../../../contract/slide-time.ts'
import { runningSlide } from '../../../contract/slide-time.ts'

type Settings = RoomState['settings']
type Moment = { readonly slides: readonly TimedSlide[]; readonly nowMs: number }

/** Every command except 'swap', which needs other slides, and 'sessions', which does not change the state. */
export type OwnCommand = Exclude<RoomCommand, { command: 'swap' | 'sessions' }>

export function nextState(state: RoomState, command: OwnCommand, moment: Moment): RoomState {
  const now = movedTo(state, moment)
  return { ...changed(now, command, moment), sequence: state.sequence + 1 }
}

/** Returns the same state under the next number, for a command that changes another part of the room. */
export function withNextSequence(state: RoomState, moment: Moment): RoomState {
  return { ...movedTo(state, moment), sequence: state.sequence + 1 }
}

/** Starts at the first slide of another session, with its intervals. */
export function swappedState(
  state: RoomState,
  { intervalMin, intervalMax, transition }: Omit<Settings, 'captions' | 'loop'>,
  nowMs: number,
): RoomState {
  const settings = { ...state.settings, intervalMin, intervalMax, transition }
  return { ...atSlide({ ...state, settings }, 0, nowMs), sequence: state.sequence + 1 }
}

/** Returns the same state, expressed from the current slide. */
function movedTo(state: RoomState, { slides, nowMs }: Moment): RoomState {
  const { slide, slideStartedAt } = runningSlide(state, slides, nowMs)
  return { ...state, slide, slideStartedAt: Math.round(slideStartedAt) }
}

function changed(state: RoomState, command: OwnCommand, moment: Moment): RoomState {
  const { nowMs } = moment
  switch (command.command) {
    case 'play':
      return state.status === 'playing' ? state : started(state, nowMs)
    case 'pause':
      return state.status === 'playing' ? stopped(state, moment) : state
    case 'next':
    case 'previous':
      return stepped(state, command.command === 'next' ? 1 : -1, moment)
    case 'seek':
      return atSlide(state, command.slide, nowMs)
    case 'speed':
      return faster(state, command.speed, moment)
    case 'settings':
      return { ...state, settings: settled(state.settings, command.settings) }
    case 'blackout':
      return { ...state, blackout: command.blackout }
    case 'end':
      return { ...state, status: 'ended' }
  }
}

function started(state: RoomState, nowMs: number): RoomState {
  const slideStartedAt = Math.round(nowMs - state.positionMs / state.speed)
  return { ...state, status: 'playing', slideStartedAt, positionMs: 0 }
}

function stopped(state: RoomState, { slides, nowMs }: Moment): RoomState {
  const { positionMs } = runningSlide(state, slides, nowMs)
  return { ...state, status: 'paused', slideStartedAt: nowMs, positionMs: Math.round(positionMs) }
}

/** Changes the speed within the current slide. The time that it has already been shown is scaled. */
function faster(state: RoomState, speed: number, moment: Moment): RoomState {
  if (state.status !== 'playing') return { ...state, speed }
  return started({ ...stopped(state, moment), speed }, moment.nowMs)
}

function stepped(state: RoomState, step: 1 | -1, { slides, nowMs }: Moment): RoomState {
  const wanted = state.slide + step
  if (wanted >= 0 && wanted < slides.length) return atSlide(state, wanted, nowMs)
  return step === 1 && state.settings.loop ? atSlide(state, 0, nowMs) : state
}

function atSlide(state: RoomState, slide: number, nowMs: number): RoomState {
  return { ...state, slide, slideStartedAt: nowMs, positionMs: 0 }
}

/** Moves a bound that is left out if it would contradict the other one, as in sessions. */
function settled(
  settings: Settings,
  given: Partial<{ [Key in keyof Settings]: Settings[Key] | undefined }>,
): Settings {
  const next = {
    intervalMin: given.intervalMin ?? settings.intervalMin,
    intervalMax: given.intervalMax ?? settings.intervalMax,
    transition: given.transition ?? settings.transition,
    captions: given.captions ?? settings.captions,
    loop: given.loop ?? settings.loop,
  }
  if (next.intervalMin <= next.intervalMax) return next
  return given.intervalMin === undefined
    ? { ...next, intervalMin: next.intervalMax }
    : { ...next, intervalMax: next.intervalMin }
}
