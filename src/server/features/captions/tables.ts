/** Captions that were written, jobs that write them, and credits that calls in flight will cost. */
import type { Generated } from 'kysely'

export type CaptionsTables = {
  credit_holds: CreditHoldTable
  caption_cache: CaptionCacheTable
  refused_pictures: RefusedPictureTable
  caption_jobs: CaptionJobTable
  caption_job_slides: CaptionJobSlideTable
}

type CreditHoldTable = {
  id: string
  user_id: string
  feature_key: string
  description: string
  credits: number
  is_owed: Generated<boolean>
  expires_at: Date
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
