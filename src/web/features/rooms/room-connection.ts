/**
 * A room as this page knows it: its state from the event stream, which is taken up again whenever it
 * breaks, its slides, which are asked for anew when they change, and the server's clock. What is on
 * follows from these alone, so a page that was cut off is in step again with its first word.
 */
import { ApiProblem } from '../../../client/client.ts'
import { runningSlide } from '../../../contract/slide-time.ts'
import { framesOf } from '../../session-events.ts'
import { createStore } from '../player/store.ts'
import type { Room, RoomSlide, RoomState } from './room-client.ts'
import { roomClient, roomEventsAddress } from './room-client.ts'
import { createServerClock } from './server-clock.ts'

export type RoomView = {
  readonly room: Room | null
  readonly media: readonly RoomSlide[]
  readonly state: RoomState | null
  readonly screens: number
  /** False while the server does not answer. */
  readonly isReached: boolean
  /** Why there is nothing more to come. */
  readonly over: 'ended' | 'unknown' | 'adults' | null
}

export type RoomConnection = ReturnType<typeof connectRoom>

const firstPauseMs = 200
const longestPauseMs = 2000
const rereadMs = 1000
/** The server says something every fifteen seconds; a stream that is silent for longer is dead. */
const silenceMs = 40_000
/** An answer that takes longer than this will not come. */
const answerMs = 4000
const clockIntervalMs = 10_000

export function connectRoom(code: string) {
  const store = createStore<RoomView>({
    room: null,
    media: [],
    state: null,
    screens: 0,
    isReached: true,
    over: null,
  })
  const clock = createServerClock(askTime)
  let isLeft = true
  const reactionListeners = new Set<(emoji: string) => void>()
  let attempt = new AbortController()
  let wake: () => void = nothing
  let lastId = ''
  let isReading = false
  let isOutdated = false

  function learn(state: RoomState): void {
    const known = store.read().state
    if (known && known.sequence > state.sequence) return
    store.update({ state, ...(state.status === 'ended' && { over: 'ended' as const }) })
  }

  /** Whatever changed while nobody listened is in it; what changes meanwhile is read after that. */
  async function readAgain(): Promise<void> {
    isOutdated = true
    if (isReading) return
    isReading = true
    while (isOutdated && !isOver()) {
      isOutdated = false
      await readOnce()
    }
    isReading = false
  }

  async function readOnce(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(answerMs)
      const { room, media } = await roomClient.rooms.read({ params: { code }, signal })
      store.update({ room, media, screens: room.screens })
      learn(room.state)
    } catch (error) {
      if (error instanceof ApiProblem && giveUp(error.status)) return
      isOutdated = true
      await new Promise((resolve) => setTimeout(resolve, rereadMs))
    }
  }

  function giveUp(status: number): boolean {
    const over = status === 404 ? 'unknown' : status === 403 ? 'adults' : null
    if (over === null) return false
    // A room that was open has ended, whether anybody said so or not.
    store.update({ over: over === 'unknown' && store.read().room ? 'ended' : over })
    return true
  }

  /** Until the stream breaks; gives whether there was one. */
  async function listen(): Promise<boolean> {
    const listening = new AbortController()
    attempt = listening
    let isOpen = false
    let watch = setTimeout(() => listening.abort(), answerMs)
    try {
      const response = await fetch(roomEventsAddress(code), {
        headers: lastId === '' ? {} : { 'last-event-id': lastId },
        signal: listening.signal,
      })
      if (giveUp(response.status) || !response.ok || !response.body) return false
      isOpen = true
      store.update({ isReached: true })
      void readAgain()
      for await (const frame of framesOf(response.body)) {
        clearTimeout(watch)
        watch = setTimeout(() => listening.abort(), silenceMs)
        if (frame.id !== '') lastId = frame.id
        if (frame.data !== '') hear(frame.event, JSON.parse(frame.data))
      }
    } catch {
      // It is taken up again.
    } finally {
      clearTimeout(watch)
    }
    return isOpen
  }

  function hear(type: string, data: unknown): void {
    // The server is trusted to send what such an event has.
    if (type === 'state') learn(data as RoomState)
    if (type === 'screens') store.update(data as { screens: number })
    if (type === 'media') void readAgain()
    if (type === 'reaction')
      for (const listener of reactionListeners) listener((data as { emoji: string }).emoji)
  }

  async function follow(): Promise<void> {
    for (let failures = 0; !isOver(); failures += 1) {
      const startedMs = performance.now()
      const wasOpen = await listen()
      if (isOver()) return
      // A stream that held for a while is no failure, and a phone that wakes has the next at once.
      if (wasOpen && performance.now() - startedMs > longestPauseMs) failures = 0
      else store.update({ isReached: false })
      const most = Math.min(longestPauseMs, firstPauseMs * 2 ** failures)
      // Not all screens at the same moment.
      await pause(most * (0.5 + Math.random() / 2))
    }
  }

  function isOver(): boolean {
    return isLeft || store.read().over !== null
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** A phone that slept, or a network that is back: the old stream is not worth waiting for. */
  function comeBack(): void {
    if (document.visibilityState === 'hidden') return
    attempt.abort()
    wake()
    void clock.sync()
  }

  /** A line that is cut says nothing, and the stream on it is silent like one without news. */
  async function keepTime(): Promise<void> {
    const listening = attempt
    if (!(await clock.sync())) listening.abort()
  }

  /** Begins to listen; what it gives ends it. */
  function start(): () => void {
    isLeft = false
    const timer = setInterval(() => void keepTime(), clockIntervalMs)
    window.addEventListener('online', comeBack)
    document.addEventListener('visibilitychange', comeBack)
    // What was put on by a clock that was not set yet is looked at again.
    void clock.sync().then(() => store.update({ media: [...store.read().media] }))
    void follow()
    return () => {
      isLeft = true
      attempt.abort()
      wake()
      clearInterval(timer)
      window.removeEventListener('online', comeBack)
      document.removeEventListener('visibilitychange', comeBack)
    }
  }

  return {
    code,
    nowMs: clock.nowMs,
    read: store.read,
    subscribe: store.subscribe,
    learn,
    onReaction(listener: (emoji: string) => void): () => void {
      reactionListeners.add(listener)
      return () => void reactionListeners.delete(listener)
    },
    start,
  }
}

/** How many devices are in the room beside this one, whose own stream is counted as theirs are. */
export function othersIn({ screens }: RoomView): number {
  return Math.max(0, screens - 1)
}

/** Which slide is on now; null before anything is known, and where there is none. */
export function slideOnNow(connection: RoomConnection) {
  const { state, media } = connection.read()
  if (!state || media.length === 0) return null
  return runningSlide(state, media, connection.nowMs())
}

async function askTime(): Promise<number> {
  return (await roomClient.rooms.time({ signal: AbortSignal.timeout(answerMs) })).now
}

function nothing(): void {}
