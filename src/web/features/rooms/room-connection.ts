/**
 * The state of a room on this page: its state from the event stream, which reconnects after a failure, its
 * slides, which are reloaded when they change, and the server's clock. The current slide follows from these
 * alone, so a page that was disconnected is in step again after the first event.
 */
import { ApiProblem } from '../../../client/client.ts'
import { runningSlide } from '../../../contract/slide-time.ts'
import { client } from '../../api.ts'
import { openEventStream } from '../../event-stream.ts'
import { createStore } from '../player/store.ts'
import type { Room, RoomSlide, RoomState } from './room-client.ts'
import { roomEventsAddress } from './room-client.ts'
import { createServerClock } from './server-clock.ts'

export type RoomView = {
  readonly room: Room | null
  readonly media: readonly RoomSlide[]
  readonly state: RoomState | null
  readonly screens: number
  /** False while the server does not answer. */
  readonly isReached: boolean
  /** The reason why the room can no longer be shown. */
  readonly over: 'ended' | 'unknown' | 'adults' | null
}

export type RoomConnection = ReturnType<typeof connectRoom>

const firstPauseMs = 200
const longestPauseMs = 2000
const rereadMs = 1000
/** The timeout for responses. */
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
  let isReading = false
  let isOutdated = false

  /**
   * Applies a state. `isNewest` is true for the first state of a stream, which applies even if its sequence
   * is lower: the server may have restored a backup.
   */
  function learn(state: RoomState, { isNewest = false } = {}): void {
    const known = store.read().state
    if (!isNewest && known && known.sequence > state.sequence) return
    store.update({ state, ...(state.status === 'ended' && { over: 'ended' as const }) })
  }

  /**
   * Reloads the room, which covers changes missed while disconnected. A change during a reload starts
   * another.
   */
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
      const { room, media } = await client.rooms.read({ params: { code }, signal })
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
    // A room that was open before and is unknown now has ended.
    store.update({ over: over === 'unknown' && store.read().room ? 'ended' : over })
    return true
  }

  function hear(type: string, data: unknown, { isNewest }: { isNewest: boolean }): void {
    // The server is trusted: event data is not validated.
    if (type === 'state') learn(data as RoomState, { isNewest })
    if (type === 'screens') store.update(data as { screens: number })
    if (type === 'media') void readAgain()
    if (type === 'reaction')
      for (const listener of reactionListeners) listener((data as { emoji: string }).emoji)
  }

  function isOver(): boolean {
    return isLeft || store.read().over !== null
  }

  /** Connects and returns a function that disconnects. */
  function start(): () => void {
    isLeft = false
    const leaving = new AbortController()
    const { signal } = leaving
    let isNewest = true
    const stream = openEventStream({
      address: roomEventsAddress(code),
      signal,
      answerMs,
      firstPauseMs,
      longestPauseMs,
      isFinal: giveUp,
      onOpen() {
        isNewest = true
        store.update({ isReached: true })
        void readAgain()
      },
      onEvent({ event, data }) {
        hear(event, JSON.parse(data), { isNewest })
        if (event === 'state') isNewest = false
        if (isOver()) leaving.abort()
      },
      onBreak: ({ wasHeld }) => !wasHeld && store.update({ isReached: false }),
    })
    /** A lost connection looks like a stream without events. A failed clock request reveals it. */
    const keepTime = async () => {
      if (!(await clock.sync())) stream.reconnect()
    }
    const timer = setInterval(() => void keepTime(), clockIntervalMs)
    // A phone that slept: reconnect, do not wait for the old stream.
    const comeBack = () => {
      if (document.visibilityState === 'hidden') return
      stream.reconnect()
      void clock.sync()
    }
    document.addEventListener('visibilitychange', comeBack, { signal })
    // Notify the subscribers: the current slide may change with the clock.
    void clock.sync().then(() => store.update({ media: [...store.read().media] }))
    return () => {
      isLeft = true
      leaving.abort()
      clearInterval(timer)
    }
  }

  return {
    code,
    nowMs: clock.nowMs,
    read: store.read,
    subscribe: store.subscribe,
    learn: (state: RoomState) => learn(state),
    onReaction(listener: (emoji: string) => void): () => void {
      reactionListeners.add(listener)
      return () => void reactionListeners.delete(listener)
    },
    start,
  }
}

/** Returns the number of other devices in the room: the server also counts the stream of this one. */
export function othersIn({ screens }: RoomView): number {
  return Math.max(0, screens - 1)
}

/** Returns the current slide, or null before the first state and for a room without slides. */
export function slideOnNow(connection: RoomConnection) {
  const { state, media } = connection.read()
  if (!state || media.length === 0) return null
  return runningSlide(state, media, connection.nowMs())
}

async function askTime(): Promise<number> {
  return (await client.rooms.time({ signal: AbortSignal.timeout(answerMs) })).now
}
