/** Cards of links, made from the slides of their sessions. */
import type { Bucket } from '../../platform/storage/storage.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    session_cards: SessionCardTable
  }
}

type SessionCardTable = {
  session_id: number
  source: string
  claim: string
  lease_until: Date | null
  key: string | null
  of_bucket: Bucket | null
  of_key: string | null
  made_at: Date | null
}
