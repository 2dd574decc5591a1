/** The screens of a node by room, and the last known data of each room. */
import type { RoomState } from '../../../contract/rooms.ts'
import type { RoomStream } from './room-stream.ts'

type Known = { readonly hostId: string; readonly sessionId: number; readonly state?: RoomState }
type Kept = { readonly streams: Set<RoomStream>; known: Known }

const none: ReadonlySet<RoomStream> = new Set()

export function createRoomSets() {
  const rooms = new Map<number, Kept>()
  const byAddress = new Map<string, number>()
  let size = 0
  const of = (id: number): ReadonlySet<RoomStream> => rooms.get(id)?.streams ?? none
  const countAddress = (address: string, change: 1 | -1) => {
    const count = (byAddress.get(address) ?? 0) + change
    if (count > 0) byAddress.set(address, count)
    else byAddress.delete(address)
  }
  return {
    get size() {
      return size
    },
    ids: () => rooms.keys(),
    has: (id: number) => rooms.has(id),
    of,
    all: () => [...rooms.values()].flatMap(({ streams }) => [...streams]),
    ofSession: (sessionId: number) =>
      [...rooms].filter(([, { known }]) => known.sessionId === sessionId).map(([id]) => id),
    ofAddress: (address: string) => byAddress.get(address) ?? 0,
    count: (roomId: number) => ({ roomId, screens: of(roomId).size }),
    stateOf: (id: number) => rooms.get(id)?.known.state,
    /** Stores the data of a room. If it plays another session now, its screens must reload the slides. */
    learn(id: number, known: Known | undefined): void {
      const kept = rooms.get(id)
      if (!kept || !known) return
      if (kept.known.sessionId !== known.sessionId)
        for (const stream of kept.streams) stream.oweMedia()
      kept.known = known
    },
    add(stream: RoomStream): void {
      const { room, address } = stream.listener
      const kept = rooms.get(room.id) ?? { streams: new Set<RoomStream>(), known: room }
      rooms.set(room.id, kept)
      kept.streams.add(stream)
      countAddress(address, 1)
      size += 1
    },
    remove(stream: RoomStream): void {
      const { room, address } = stream.listener
      const kept = rooms.get(room.id)
      if (!kept?.streams.delete(stream)) return
      if (kept.streams.size === 0) rooms.delete(room.id)
      countAddress(address, -1)
      size -= 1
    },
  }
}
