/** Tables of frames and their sessions. */
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    frames: FrameTable
    frame_sessions: FrameSessionTable
  }
}

type FrameTable = {
  id: GeneratedAlways<number>
  user_id: string
  name: string
  token_hash: Uint8Array
  grant_id: Generated<number>
  settings: JSONColumnType<Record<string, unknown>>
  nsfw: Generated<boolean>
  created_at: Date
  updated_at: Date
}

type FrameSessionTable = {
  frame_id: number
  session_id: number
  position: number
}
