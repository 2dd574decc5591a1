/** Tables of the ledger, prices, holds, bonuses, referrals and idempotency keys. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    credit_holds: CreditHoldTable
    credit_accounts: CreditAccountTable
    credit_transactions: CreditTransactionTable
    credit_allocations: CreditAllocationTable
    feature_pricing: FeaturePricingTable
    daily_bonuses: DailyBonusTable
    referrals: ReferralTable
    idempotency_keys: IdempotencyKeyTable
  }
}

type CreditHoldTable = {
  id: string
  user_id: string
  feature_key: string
  description: string
  credits: number
  /** True when the work was delivered, so that the credits must be charged. */
  is_owed: Generated<boolean>
  expires_at: Date
}

type CreditAccountTable = {
  user_id: string
  balance: number
  purchased: Generated<number>
  held: Generated<number>
  tier: Generated<'free' | 'joi_curious' | 'full_access' | 'vip'>
  tier_until: Date | null
  /** The start of the account's months: each allocation comes a whole number of months later. */
  anchored_at: Date
  next_allocation_at: Date
}

type Json = JSONColumnType<Record<string, unknown>>

type CreditTransactionTable = {
  id: Generated<number>
  user_id: string | null
  amount: number
  type: 'purchase' | 'spend' | 'referral' | 'bonus' | 'refund' | 'grant'
  description: string
  feature_key: string | null
  metadata: Json | null
  balance_after: number
  from_purchased: Generated<number>
  refund_of: number | null
  created_at: Date
}

type CreditAllocationTable = {
  user_id: string
  month: string
}

type FeaturePricingTable = {
  feature_key: string
  display_name: string
  credits_required: number
  is_premium_only: Generated<boolean>
  description: Generated<string>
  is_active: Generated<boolean>
}

type DailyBonusTable = {
  user_id: string
  day: string
  streak: number
}

type ReferralTable = {
  id: Generated<number>
  referrer_id: string
  referred_id: string
  source: 'direct' | 'session_share'
  source_id: string | null
  paid: boolean
  created_at: Date
}

type IdempotencyKeyTable = {
  user_id: string
  key: string
  request_hash: Uint8Array
  /** Identifies the request that works on it now. */
  claim: string
  lease_until: Date
  charged: Generated<boolean>
  debit_id: number | null
  status: number | null
  body: ColumnType<unknown, string> | null
  created_at: Date
}
