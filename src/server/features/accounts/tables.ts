/** People, how they are signed in, what they did, and what administrators set. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

export type AccountsTables = {
  users: UserTable
  sign_ins: SignInTable
  used_oidc_states: UsedOidcStateTable
  activity_log: ActivityTable
  account_slots: AccountSlotTable
  settings: SettingTable
  tags: TagTable
  categories: CategoryTable
}

type Json = JSONColumnType<Record<string, unknown>>

type AccountSlotTable = {
  kind: string
  user_id: string
  slot: number
  holder: string
  lease_until: Date
}

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

type UsedOidcStateTable = {
  state_hash: Uint8Array
  expires_at: Date
}

type ActivityTable = {
  id: Generated<number>
  user_id: string | null
  target_user_id: string | null
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
