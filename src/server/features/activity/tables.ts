/** The table of people's actions. */
import type { Generated, JSONColumnType } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    activity_log: ActivityTable
  }
}

type Json = JSONColumnType<Record<string, unknown>>

type ActivityTable = {
  id: Generated<number>
  user_id: string | null
  target_user_id: string | null
  action: string
  feature: string
  details: Json
  ip_address: string | null
  user_agent: string | null
  session_id: number | null
  created_at: Date
}
