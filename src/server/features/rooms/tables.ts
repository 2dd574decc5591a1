/** Rooms, their remotes and their screen counts. */
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { RoomState } from '../../../contract/rooms.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    rooms: RoomTable
    room_remotes: RoomRemoteTable
    room_screens: RoomScreenTable
  }
}

/** The state without the fields that have their own column. */
export type Playback = Omit<RoomState, 'sequence' | 'status'>

type RoomTable = {
  id: GeneratedAlways<number>
  code: string
  host_id: string
  session_id: number
  listed_session_ids: Generated<number[]>
  share_grant_id: number | null
  status: RoomState['status']
  sequence: number
  playback: JSONColumnType<Playback>
  created_at: Date
  commanded_at: Date
}

type RoomRemoteTable = {
  id: GeneratedAlways<number>
  room_id: number
  token_hash: Uint8Array
  created_at: Date
  last_used_at: Date | null
}

type RoomScreenTable = {
  room_id: number
  node_id: string
  screens: number
  touched_at: Generated<Date>
}
