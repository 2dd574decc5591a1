/**
 * All screens of this node. A notification names rooms to read again. One statement reads all of them,
 * one checks who may see adult pictures, and each screen gets the changes. Without notifications, the
 * same statements run for every room at each beat.
 */
import type { Readable } from 'node:stream'
import type { RoomState } from '../../../contract/rooms.ts'
import type { Context } from '../../context.ts'
import { createStreamRounds } from '../../http/stream-rounds.ts'
import type { RoomNews } from './queries.ts'
import { endClosedRooms, findNews } from './queries.ts'
import { createRoomSets } from './room-sets.ts'
import type { RoomListener, RoomStream } from './room-stream.ts'
import { openRoomStream } from './room-stream.ts'
import { findAdultSignIns, forgetScreens, storeScreens } from './screen-queries.ts'

declare module '../../context.ts' {
  interface Context {
    /** The screens on this node that listen to rooms. */
    readonly roomHub: RoomHub
  }
}

export type RoomHub = {
  /** Opens a screen. Returns null if the room or the address already has the maximum of this node. */
  open(listener: RoomListener): Readable | null
  /** The number of screens on this node. */
  readonly size: number
  close(): Promise<void>
}

type HubContext = Pick<
  Context,
  'db' | 'query' | 'now' | 'newId' | 'log' | 'stopping' | 'notifications'
>

const screensOfRoom = 1000
const screensOfAddress = 300

/**
 * The interval at which screens are counted and rooms are read. Every third beat sends a keep-alive
 * comment.
 */
const beatMs = 5000
const beatsOfComment = 3

export function createRoomHub(ctx: HubContext, options: { beatMs?: number } = {}): RoomHub {
  const nodeId = ctx.newId()
  const rooms = createRoomSets()
  const unread = new Set<number>()
  const uncounted = new Set<number>()
  /** The rooms that may have closed, with or without screens on this node. */
  const closing = {
    ids: new Set<number>(),
    sessionIds: new Set<number>(),
    hostIds: new Set<string>(),
  }
  let beats = 0
  const rounds = createStreamRounds(ctx, {
    beatMs: options.beatMs ?? beatMs,
    onBeat: keepUp,
    hasWork,
    run: work,
    endAll: () => {
      for (const stream of rooms.all()) stream.end()
    },
    subscriber: {
      topics: {
        room: (key) => {
          if (rooms.has(Number(key))) lookAt([Number(key)])
        },
        room_media: (key) => refresh(rooms.ofSession(Number(key))),
        room_reaction: (key) => {
          const [id, emoji = ''] = key.split(':')
          for (const stream of rooms.of(Number(id))) stream.react(emoji)
        },
        session_access: (key) => {
          closing.sessionIds.add(Number(key))
          lookAt(rooms.ofSession(Number(key)))
        },
        user_access: (key) => {
          closing.hostIds.add(key)
          // The sign-in of the change is unknown here, so check all adult rooms again.
          lookAt(rooms.ids())
        },
      },
      onGap: () => refresh(rooms.ids()),
    },
    leave: () => forgetScreens(ctx, nodeId),
    events: { waiting: 'rooms_waiting', left: 'room_screens_left' },
  })

  function refresh(ids: Iterable<number>): void {
    const shown = [...ids]
    for (const id of shown) for (const stream of rooms.of(id)) stream.oweMedia()
    lookAt(shown)
  }

  function lookAt(ids: Iterable<number>): void {
    for (const id of ids) unread.add(id)
    rounds.wake()
  }

  function hasWork(): boolean {
    const { ids, sessionIds, hostIds } = closing
    return unread.size + uncounted.size + ids.size + sessionIds.size + hostIds.size > 0
  }

  async function work(): Promise<void> {
    const asked = [...unread]
    const counted = [...uncounted]
    unread.clear()
    uncounted.clear()
    try {
      await endClosed()
      if (counted.length > 0) await storeScreens(ctx, nodeId, counted.map(rooms.count))
      if (asked.length > 0) await tellNews(asked)
    } catch (error) {
      for (const id of asked) unread.add(id)
      for (const id of counted) uncounted.add(id)
      throw error
    }
  }

  async function endClosed(): Promise<void> {
    const among = {
      ids: [...closing.ids],
      sessionIds: [...closing.sessionIds],
      hostIds: [...closing.hostIds],
    }
    if (Object.values(among).every(({ length }) => length === 0)) return
    await endClosedRooms(ctx, among)
    for (const id of among.ids) closing.ids.delete(id)
    for (const id of among.sessionIds) closing.sessionIds.delete(id)
    for (const id of among.hostIds) closing.hostIds.delete(id)
  }

  async function tellNews(asked: readonly number[]): Promise<void> {
    const news = new Map<number, RoomNews>()
    for (const room of await findNews(ctx, asked)) news.set(room.id, room)
    const refused = await findRefused([...news.values()])
    for (const id of asked) {
      const room = news.get(id)
      const isOver = !room?.isOpen
      // End the room permanently. The notification of that ends its screens.
      if (room && isOver && room.state.status !== 'ended') {
        closing.ids.add(id)
        unread.add(id)
        continue
      }
      rooms.learn(id, room)
      const state = room?.state ?? endOf(rooms.stateOf(id))
      for (const stream of rooms.of(id))
        if (refused.has(stream)) stream.end()
        else if (state) stream.send({ state, screens: room?.screens ?? 0 })
        else stream.end()
    }
  }

  /** Finds screens that may not see a room that has become adult. */
  async function findRefused(news: readonly RoomNews[]): Promise<ReadonlySet<RoomStream>> {
    // Screens of a closed room only learn that it has ended.
    const adult = news.filter(({ isOpen, nsfw }) => isOpen && nsfw)
    const judged = adult.flatMap(({ id }) => [...rooms.of(id)])
    const hashes = judged.flatMap(({ listener }) => listener.signInHash ?? [])
    const adults = await findAdultSignIns(ctx, hashes)
    const isAdult = ({ listener: { signInHash } }: RoomStream) =>
      signInHash !== null && adults.has(Buffer.from(signInHash).toString('hex'))
    return new Set(judged.filter((stream) => !isAdult(stream)))
  }

  function keepUp(): void {
    beats += 1
    if (beats % beatsOfComment === 0) for (const stream of rooms.all()) stream.keepAlive()
    for (const id of rooms.ids()) uncounted.add(id)
    lookAt(rooms.ids())
  }

  return {
    get size() {
      return rooms.size
    },
    open(listener) {
      const { id } = listener.room
      if (rooms.of(id).size >= screensOfRoom) return null
      if (rooms.ofAddress(listener.address) >= screensOfAddress) return null
      const stream = openRoomStream(listener, { onDrained: () => lookAt([id]) })
      rooms.add(stream)
      uncounted.add(id)
      rounds.hold(stream, () => {
        rooms.remove(stream)
        uncounted.add(id)
      })
      lookAt([id])
      return stream.content
    },
    close: () => rounds.close(),
  }
}

/** Returns the final state of a room whose row was deleted, from its last known state. */
function endOf(state: RoomState | undefined): RoomState | undefined {
  return state && { ...state, status: 'ended', sequence: state.sequence + 1 }
}
