/**
 * A room as this page knows it: its state from the event stream, which is taken up again whenever it
 * breaks, its slides, which are asked for anew when they change, and the server's clock. What is on
 * follows from these alone, so a page that was cut off is in step again with its first word.
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
  /** Why there is nothing more to come. */
  readonly over: 'ended' | 'unknown' | 'adults' | null
}

export type RoomConnection = ReturnType<typeof connectRoom>

const firstPauseMs = 200
const longestPauseMs = 2000
const rereadMs = 1000
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
  let isReading = false
  let isOutdated = false

  /** `isNewest` with the first state of a stream: after a restore it may be an earlier one. */
  function learn(state: RoomState, { isNewest = false } = {}): void {
    const known = store.read().state
    if (!isNewest && known && known.sequence > state.sequence) return
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
    // A room that was open has ended, whether anybody said so or not.
    store.update({ over: over === 'unknown' && store.read().room ? 'ended' : over })
    return true
  }

  function hear(type: string, data: unknown, { isNewest }: { isNewest: boolean }): void {
    // The server is trusted to send what such an event has.
    if (type === 'state') learn(data as RoomState, { isNewest })
    if (type === 'screens') store.update(data as { screens: number })
    if (type === 'media') void readAgain()
    if (type === 'reaction')
      for (const listener of reactionListeners) listener((data as { emoji: string }).emoji)
  }

  function isOver(): boolean {
    return isLeft || store.read().over !== null
  }

  /** Begins to listen; what it returns ends it. */
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
    /** A line that is cut says nothing, and the stream on it is silent like one without news. */
    const keepTime = async () => {
      if (!(await clock.sync())) stream.reconnect()
    }
    const timer = setInterval(() => void keepTime(), clockIntervalMs)
    // A phone that slept: the old stream is not worth waiting for.
    const comeBack = () => {
      if (document.visibilityState === 'hidden') return
      stream.reconnect()
      void clock.sync()
    }
    document.addEventListener('visibilitychange', comeBack, { signal })
    // A slide that was put on before the clock was set is judged again.
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
  return (await client.rooms.time({ signal: AbortSignal.timeout(answerMs) })).now
}
