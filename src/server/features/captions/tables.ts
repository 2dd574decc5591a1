/** Tables of cached captions and caption jobs. */
import type { Generated } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    caption_cache: CaptionCacheTable
    refused_pictures: RefusedPictureTable
    caption_jobs: CaptionJobTable
    caption_job_slides: CaptionJobSlideTable
  }
}

type CaptionCacheTable = {
  key: Uint8Array
  caption: string | null
  claim: string
  lease_until: Date
  created_at: Date
}

type RefusedPictureTable = {
  picture_hash: Uint8Array
  created_at: Date
}

type CaptionJobTable = {
  id: string
  user_id: string
  session_id: number | null
  steering: string | null
  status: 'pending' | 'running' | 'completed' | 'failed'
  debit_id: number | null
  credits_each: number
  run: string | null
  created_at: Date
  updated_at: Date
}

type CaptionJobSlideTable = {
  job_id: string
  media_id: number
  position: number
  state: Generated<'pending' | 'done' | 'failed'>
}
