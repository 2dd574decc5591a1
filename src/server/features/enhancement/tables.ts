/** Tables of consents and generations. */
import type { Generated, GeneratedAlways } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    enhancement_consents: EnhancementConsentTable
    enhancement_generations: EnhancementGenerationTable
  }
}

type EnhancementConsentTable = {
  user_id: string
  version: number
  accepted_at: Date
}

type EnhancementGenerationTable = {
  id: GeneratedAlways<number>
  user_id: string
  status: Generated<'pending' | 'completed' | 'failed'>
  quality: 'low' | 'high'
  requested_provider: 'provider_a' | 'provider_b'
  actual_provider: 'provider_a' | 'provider_b' | null
  original_path: string | null
  provider_path: string | null
  result_path: string | null
  result_width: number | null
  result_height: number | null
  processing_time_ms: number | null
  error_message: string | null
  credit_charged: Generated<boolean>
  debit_id: number | null
  refunded_at: Date | null
  refund_transaction_id: number | null
  lease_until: Date
  media_id: number | null
  created_at: Date
  updated_at: Date
}
