/** Links to sessions and to single media. */
import type { Generated } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    media_shares: MediaShareTable
    session_shares: SessionShareTable
    stopped_media_shares: StoppedMediaShareTable
  }
}

type MediaShareTable = {
  code: string
  media_id: number
  created_at: Date
  grant_id: Generated<number>
}

type SessionShareTable = {
  code: string
  session_id: number
  expires_at: Date | null
  /** Not before `expires_at` if the owner stopped the link. Otherwise the link expired by itself. */
  stopped_at: Date | null
  password_hash: string | null
  access: Generated<'members' | 'anyone'>
  download: Generated<boolean>
  created_at: Date
  grant_id: Generated<number>
}

/** Codes that were stopped in the last 30 days. */
type StoppedMediaShareTable = {
  code: string
  media_id: number
  stopped_at: Date
}
