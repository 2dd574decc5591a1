/** Reports, blocked pictures, and notices. */
import type { GeneratedAlways, JSONColumnType } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    reports: ReportTable
    blocked_hashes: BlockedHashTable
    notices: NoticeTable
  }
}

type ReportTable = {
  id: GeneratedAlways<number>
  target_type: 'community_media' | 'community_session' | 'shared_media' | 'shared_session' | 'room'
  target_id: number | null
  share_code: string | null
  media_id: number | null
  session_id: number | null
  reason: 'non_consensual' | 'minor' | 'copyright' | 'illegal' | 'other'
  details: string
  contact: string | null
  evidence: JSONColumnType<Record<string, unknown>>
  takedown_id: number | null
  reporter: string | null
  decision: 'dismiss' | 'remove' | 'remove_and_block' | null
  note: string | null
  decided_by: string | null
  decided_at: Date | null
  created_at: Date
}

type BlockedHashTable = {
  report_id: number
  form: string
  bits: string
  is_whole: boolean
  created_at: Date
}

type NoticeTable = {
  id: GeneratedAlways<number>
  user_id: string
  message: string
  created_at: Date
  read_at: Date | null
}
