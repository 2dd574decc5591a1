/** Sessions, their slides, plays and events. */
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { ColumnsOf, slideColumns } from './slides/slide-columns.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    sessions: SessionTable
    live_sessions: SessionTable
    session_media: SessionMediaTable
    trashed_covers: TrashedCoverTable
    plays: PlayTable
    play_views: PlayViewTable
    session_events: SessionEventTable
    event_stream_nodes: EventStreamNodeTable
    event_streams: EventStreamTable
  }
}

type SessionTable = {
  id: Generated<number>
  user_id: string
  title: string
  subfeeds: Generated<string[]>
  category_id: number
  category_source: 'manual' | 'default'
  interval_min: number
  interval_max: number
  transition: string
  thumbnail: string | null
  thumbnail_given: Generated<boolean>
  ai_prompt: string | null
  caption_theme: string | null
  is_public: Generated<boolean>
  share_to_community: Generated<boolean>
  is_favorite: Generated<boolean>
  is_manual_mode: Generated<boolean>
  is_imported: Generated<boolean>
  import_source: string | null
  import_url: string | null
  tags: Generated<string[]>
  nsfw_given: Generated<boolean>
  nsfw_media: Generated<boolean>
  media_count: Generated<number>
  fill_status: Generated<'pending' | 'filling' | 'ready' | 'failed'>
  fill_error: string | null
  fill_number: Generated<number>
  fill_debit_id: number | null
  fill_is_paid: Generated<boolean>
  event_seq: Generated<number>
  own_thumbnail_key: string | null
  links_checked_at: Date | null
  broken_count: Generated<number>
  replaced_count: Generated<number>
  skipped_media: Skipped
  trashed_at: Date | null
  refresh_due_at: Date | null
  refresh_fill_number: number | null
  refresh_failed_days: Generated<number>
  created_at: Date
  updated_at: Date
}

type SessionMediaTable = ColumnsOf<typeof slideColumns> & {
  id: Generated<number>
  session_id: number
  position: number
  link_host: GeneratedAlways<string | null>
  link_check_at: Date | null
  link_faulty_since: Date | null
  is_broken: Generated<boolean>
  in_trash: Generated<boolean>
}

type TrashedCoverTable = {
  session_id: number
  media_id: number
  thumbnail: string
}

type PlayTable = {
  id: Generated<number>
  session_id: number
  user_id: string | null
  created_at: Date
}

type PlayViewTable = {
  play_id: number
  media_id: number
}

type Json = JSONColumnType<Record<string, unknown>>
type Skipped = Generated<JSONColumnType<Record<string, unknown>[]>>

type SessionEventTable = {
  session_id: number
  seq: number
  type: string
  data: Json
  created_at: Date
}

type EventStreamNodeTable = {
  id: string
  touched_at: Generated<Date>
}

type EventStreamTable = {
  user_id: string
  slot: number
  node_id: string
}
