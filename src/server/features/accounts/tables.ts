/** People, and how they are signed in. */
import type { Generated, JSONColumnType } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    users: UserTable
    sign_ins: SignInTable
    used_oidc_states: UsedOidcStateTable
    account_tokens: AccountTokenTable
  }
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
  language: string | null
  credentials_changed_at: Date | null
  created_at: Date
  updated_at: Date
}

type SignInTable = {
  id: Generated<string>
  secret_hash: Uint8Array
  user_id: string
  created_at: Date
  renewed_at: Date
  last_seen_at: Date
  expires_at: Date
  ip_address: string | null
  user_agent: string | null
}

type UsedOidcStateTable = {
  state_hash: Uint8Array
  expires_at: Date
}

type AccountTokenTable = {
  token_hash: Uint8Array
  user_id: string
  purpose: 'reset_password' | 'confirm_email'
  email: string | null
  asked_at: Date
  expires_at: Date
}
