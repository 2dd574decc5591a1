/** Publications and their saves. */
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { ColumnsOf, publishedSlideColumns } from '../sessions/sessions.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    community_media: CommunityMediaTable
    community_sessions: CommunitySessionTable
    community_publications: CommunityPublicationTable
    community_session_media: CommunitySessionMediaTable
    community_saves: CommunitySaveTable
  }
}

type CommunityMediaTable = {
  id: GeneratedAlways<number>
  media_id: number | null
  owner_id: string
  file_key: string
  thumbnail_key: string | null
  type: 'image' | 'gif' | 'video'
  width: number
  height: number
  tags: Generated<string[]>
  nsfw: boolean
  published_at: Date
}

type CommunitySessionTable = {
  id: GeneratedAlways<number>
  session_id: number | null
  owner_id: string
  status: 'copying' | 'published' | 'withdrawn'
  publication: Generated<number>
  title: string
  nsfw: boolean
  thumbnail: string | null
  thumbnail_key: string | null
  cover_key: string | null
  media_count: Generated<number>
  transition: string
  interval_min: number
  interval_max: number
  caption_theme: string | null
  ai_prompt: string | null
  is_manual_mode: boolean
  subfeeds: Generated<string[]>
  tags: Generated<string[]>
  category_id: number
  category_source: 'manual' | 'default'
  saved_count: Generated<number>
  published_at: Date
}

type CommunityPublicationTable = {
  id: GeneratedAlways<number>
  community_session_id: number
  said_safe: boolean
  snapshot: JSONColumnType<object> | null
  copying: number | null
  touched_at: Date
}

type CommunitySessionMediaTable = ColumnsOf<typeof publishedSlideColumns> & {
  id: GeneratedAlways<number>
  community_session_id: number
  position: number
}

type CommunitySaveTable = {
  community_session_id: number
  user_id: string
  session_id: number
  created_at: Date
}
