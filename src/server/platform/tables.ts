/** The tables as TypeScript sees them. A test holds this page against the migrated database. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

export type Tables = {
  users: UserTable
  sign_ins: SignInTable
  oidc_attempts: OidcAttemptTable
  activity_log: ActivityTable
  settings: SettingTable
  tags: TagTable
  categories: CategoryTable
  credit_accounts: CreditAccountTable
  credit_transactions: CreditTransactionTable
  credit_allocations: CreditAllocationTable
  feature_pricing: FeaturePricingTable
  daily_bonuses: DailyBonusTable
  referrals: ReferralTable
  idempotency_keys: IdempotencyKeyTable
}

type Json = JSONColumnType<Record<string, unknown>>

type UserTable = {
  id: string
  email: string
  password_hash: string | null
  oidc_subject: string | null
  first_name: string | null
  last_name: string | null
  profile_image_url: string | null
  role: Generated<'user' | 'admin' | 'super_admin'>
  is_active: Generated<boolean>
  age_verified: Generated<boolean>
  under_age: Generated<boolean>
  birth_date: string | null
  referral_code: string
  referred_by: string | null
  onboarding_completed: Generated<boolean>
  first_signed_in_at: Date | null
  interests: JSONColumnType<Record<string, unknown>, string | undefined>
  created_at: Date
  updated_at: Date
}

type SignInTable = {
  secret_hash: Uint8Array
  user_id: string
  created_at: Date
  renewed_at: Date
  expires_at: Date
}

type OidcAttemptTable = {
  state_hash: Uint8Array
  code_verifier: string
  nonce: string
  redirect: string
  expires_at: Date
}

type ActivityTable = {
  id: Generated<number>
  user_id: string | null
  action: string
  feature: string
  details: Json
  ip_address: string | null
  user_agent: string | null
  session_id: number | null
  created_at: Date
}

type SettingTable = {
  key: string
  value: ColumnType<unknown, string>
  updated_at: Date
}

type TagTable = {
  slug: string
  label: string
  description: Generated<string>
  position: Generated<number>
}

type CategoryTable = {
  id: Generated<number>
  slug: string
  name: string
  is_default: Generated<boolean>
}

type CreditAccountTable = {
  user_id: string
  balance: number
  purchased: Generated<number>
  tier: Generated<'free' | 'joi_curious' | 'full_access' | 'vip'>
  anchored_at: Date
  next_allocation_at: Date
}

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
  claim: string
  lease_until: Date
  charged: Generated<boolean>
  status: number | null
  body: ColumnType<unknown, string> | null
  created_at: Date
}
