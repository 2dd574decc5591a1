/**
 * All screens of this node. A notification says which rooms to look at; one statement then reads all
 * of them, one judges who may see adult pictures, and each screen is told what it does not know.
 * Without any word everything is looked at with every beat, in the same statements.
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
    /** The screens that listen to rooms on this node. */
    readonly roomHub: RoomHub
  }
}

export type RoomHub = {
  /** Null where a room, or an address, has as many screens as it may have on a node. */
  open(listener: RoomListener): Readable | null
  /** How many screens listen on this node. */
  readonly size: number
  close(): Promise<void>
}

type HubContext = Pick<
  Context,
  'db' | 'query' | 'now' | 'newId' | 'log' | 'stopping' | 'notifications'
>

const screensOfRoom = 1000
const screensOfAddress = 300

/** Screens are counted, and everything is looked at, so often; a comment goes out each third time. */
const beatMs = 5000
const beatsOfComment = 3

export function createRoomHub(ctx: HubContext, options: { beatMs?: number } = {}): RoomHub {
  const nodeId = ctx.newId()
  const rooms = createRoomSets()
  const unread = new Set<number>()
  const uncounted = new Set<number>()
  /** Of which rooms may have closed, whether anybody listens to them here or not. */
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
        room_media: (key) => showAnew(rooms.ofSession(Number(key))),
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
          // Whose sign-in it was is not known here: adult rooms are judged anew.
          lookAt(rooms.ids())
        },
      },
      onGap: () => showAnew(rooms.ids()),
    },
    leave: () => forgetScreens(ctx, nodeId),
    events: { waiting: 'rooms_waiting', left: 'room_screens_left' },
  })

  function showAnew(ids: Iterable<number>): void {
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
      // Ended for good, of which the notification then tells.
      if (room && isOver && room.state.status !== 'ended') {
        closing.ids.add(id)
        unread.add(id)
        continue
      }
      rooms.learn(id, room)
      const state = room?.state ?? endOf(rooms.stateOf(id))
      for (const stream of rooms.of(id))
        if (refused.has(stream)) stream.end()
        else if (state) stream.tell({ state, screens: room?.screens ?? 0 })
        else stream.end()
    }
  }

  /** Who may no longer see what has become a room for adults. */
  async function findRefused(news: readonly RoomNews[]): Promise<ReadonlySet<RoomStream>> {
    // Of a room that is over nothing is shown but that it is.
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

/** A room whose row is gone has ended with whatever it was last. */
function endOf(state: RoomState | undefined): RoomState | undefined {
  return state && { ...state, status: 'ended', sequence: state.sequence + 1 }
}
