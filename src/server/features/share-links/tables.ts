/** Links to sessions and to single media. */
import type { Generated } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    media_shares: MediaShareTable
    session_shares: SessionShareTable
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
  password_hash: string | null
  access: Generated<'members' | 'anyone'>
  created_at: Date
  grant_id: Generated<number>
}
