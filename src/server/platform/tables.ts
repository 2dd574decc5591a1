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
  sessions: SessionTable
  session_media: SessionMediaTable
  session_shares: SessionShareTable
  plays: PlayTable
  play_views: PlayViewTable
  session_events: SessionEventTable
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
  debit_id: number | null
  status: number | null
  body: ColumnType<unknown, string> | null
  created_at: Date
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
  event_seq: Generated<number>
  created_at: Date
  updated_at: Date
}

type SessionMediaTable = {
  id: Generated<number>
  session_id: number
  position: number
  media_url: string
  thumbnail: string | null
  caption: string | null
  caption_is_ai: Generated<boolean>
  type: 'image' | 'gif' | 'video'
  title: string | null
  feed_post_id: string | null
  feed_post_url: string | null
  subfeed: string | null
  width: number | null
  height: number | null
  duration_ms: number | null
  nsfw: Generated<boolean>
}

type SessionShareTable = {
  code: string
  session_id: number
  expires_at: Date | null
  password_hash: string | null
  created_at: Date
}

type PlayTable = {
  id: Generated<number>
  session_id: number
  user_id: string
  created_at: Date
}

type PlayViewTable = {
  play_id: number
  media_id: number
}

type SessionEventTable = {
  session_id: number
  seq: number
  type: string
  data: Json
  created_at: Date
}
