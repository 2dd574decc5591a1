/** Temporary results of the picture tools. */
import type { Bucket } from '../../platform/storage/storage.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    temporary_results: TemporaryResultTable
  }
}

type TemporaryResultTable = {
  bucket: Bucket
  key: string
  user_id: string
  tool: 'composition' | 'animation' | 'censoring'
  width: number
  height: number
  duration_ms: number | null
  layout: 'side-by-side' | 'top-bottom' | null
  seam: number | null
  media_id: number | null
  created_at: Date
}
