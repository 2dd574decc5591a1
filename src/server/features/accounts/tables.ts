/** Tables of users, sign-ins and credentials. */
import type { Generated, JSONColumnType } from 'kysely'
import type { KeyScope } from '../../../contract/key-scopes.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    users: UserTable
    sign_ins: SignInTable
    used_oidc_states: UsedOidcStateTable
    account_tokens: AccountTokenTable
    api_keys: ApiKeyTable
    totp_secrets: TotpSecretTable
    recovery_codes: RecoveryCodeTable
    passkeys: PasskeyTable
    used_passkey_challenges: UsedPasskeyChallengeTable
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

type ApiKeyTable = {
  id: string
  user_id: string
  name: string
  scopes: KeyScope[]
  prefix: string
  secret_hash: Uint8Array
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  ip_address: string | null
  user_agent: string | null
}

type TotpSecretTable = {
  user_id: string
  sealed_secret: Uint8Array
  confirmed_at: Date | null
  last_step: Generated<number>
  created_at: Date
}

type RecoveryCodeTable = {
  user_id: string
  code_hash: Uint8Array
}

type PasskeyTable = {
  id: string
  user_id: string
  name: string
  credential_id: string
  public_key: Uint8Array
  counter: number
  transports: string[]
  created_at: Date
  last_used_at: Date | null
}

type UsedPasskeyChallengeTable = {
  challenge_hash: Uint8Array
  expires_at: Date
}
