/**
 * Reads the user with the credit balance, as JSON built by PostgreSQL: every page requests it first. Also
 * builds the display name that other people see.
 */
import type { Context } from '../../context.ts'
import { isoTime, runStatement } from '../../database/statement.ts'
import { settingDefaults } from '../settings/settings.ts'

const accountStatement = `
  select json_build_object(
    'id', u.id, 'email', u.email, 'firstName', u.first_name, 'lastName', u.last_name,
    'profileImageUrl', u.profile_image_url, 'role', u.role, 'isActive', u.is_active,
    'ageVerified', u.age_verified, 'birthDate', u.birth_date, 'referralCode', u.referral_code,
    'referredBy', u.referred_by, 'onboardingCompleted', u.onboarding_completed,
    'interests', u.interests, 'hasPassword', u.password_hash is not null, 'hasSecondFactor', exists (
      select from totp_secrets where user_id = u.id and confirmed_at is not null),
    'isFromEnvironment', u.id like 'dev-user-%', 'createdAt', ${isoTime('u.created_at')},
    'updatedAt', ${isoTime('u.updated_at')},
    'credits', json_build_object(
      'balance', c.balance, 'tier', c.tier, 'nextAllocationDate', ${isoTime('c.next_allocation_at')},
      'isLowBalance', c.balance < coalesce(
        (select value::int from settings where key = 'lowBalanceThreshold'), $2::int)
    )
  )::text as json
  from users u join credit_accounts c on c.user_id = u.id
  where u.id = $1`

/** Returns null when the user or the credit account no longer exists. */
export async function readAccountJson(ctx: Context, userId: string): Promise<string | null> {
  const parameters = [userId, settingDefaults.lowBalanceThreshold]
  const [row] = await runStatement<{ json: string }>(ctx, accountStatement, parameters)
  return row?.json ?? null
}

/** A SQL expression for the display name, for a query on `users u`. */
export const ownerName = `coalesce(
  nullif(trim(concat_ws(' ', u.first_name, left(u.last_name, 1))), ''), 'Someone')`
