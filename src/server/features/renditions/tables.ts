/** Renditions: files and data derived from the files that slides show. */
import type { Generated, JSONColumnType } from 'kysely'
import type { Bucket } from '../../platform/storage/storage.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    media_renditions: MediaRenditionTable
    rendition_files: RenditionFileTable
    rendition_backfills: RenditionBackfillTable
  }
}

type MediaRenditionTable = {
  bucket: Bucket
  key: string
  user_id: string
  status: Generated<'pending' | 'processing' | 'done' | 'failed'>
  tries: Generated<number>
  started_at: Date | null
  thumbnails: Generated<JSONColumnType<Record<string, string>>>
  length_ms: number | null
  sizes: JSONColumnType<Record<string, string>> | null
  focus: JSONColumnType<{ x: number; y: number }> | null
}

type RenditionFileTable = {
  bucket: Bucket
  key: string
  of_bucket: Bucket
  of_key: string
  is_borrowed: boolean
}

type RenditionBackfillTable = {
  source: string
  after_id: Generated<number>
}
