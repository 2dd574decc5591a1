/** Takedowns, and the files and sessions that they hide. */
import type { GeneratedAlways } from 'kysely'
import type { Bucket } from '../../platform/storage/storage.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    takedowns: TakedownTable
    hidden_files: HiddenFileTable
    hidden_sessions: HiddenSessionTable
    trashed_files: TrashedFileTable
  }
}

type TakedownTable = {
  id: GeneratedAlways<number>
  media_id: number | null
  session_id: number | null
  owner_id: string | null
  state: 'hidden' | 'removed' | 'lifted'
  is_quarantine: boolean
  created_at: Date
  decided_at: Date | null
}

type HiddenFileTable = {
  bucket: Bucket
  key: string
  takedown_id: number
}

type HiddenSessionTable = {
  session_id: number
  takedown_id: number
}

type TrashedFileTable = {
  bucket: Bucket
  key: string
  media_id: number | null
  session_id: number | null
}
