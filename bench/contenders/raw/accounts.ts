/** The endpoints of the accounts benchmark, one statement each in addition to the sign-in's. */
import type { Pool, QueryConfig } from 'pg'
import type { Answer, Handler } from '../raw.ts'
import { signedInUserId } from './sign-in.ts'

const findCurrentUser = {
  name: 'find-current-user',
  text: `select json_build_object(
      'id', id, 'email', email, 'firstName', first_name, 'lastName', last_name,
      'profileImageUrl', profile_image_url, 'role', role, 'isActive', is_active,
      'ageVerified', age_verified, 'birthDate', birth_date, 'referralCode', referral_code,
      'referredBy', referred_by, 'onboardingCompleted', onboarding_completed,
      'interests', interests, 'hasPassword', password_hash is not null,
      'hasSecondFactor', exists (
        select from totp_secrets t where t.user_id = users.id and t.confirmed_at is not null),
      'isFromEnvironment', id like 'dev-user-%', 'createdAt', ${isoTime('created_at')},
      'updatedAt', ${isoTime('updated_at')},
      'credits', json_build_object(
        'balance', balance, 'tier', tier,
        'isLowBalance', balance < coalesce(
          (select value::int from settings where key = 'lowBalanceThreshold'), 20),
        'nextAllocationDate', ${isoTime('next_allocation_at')}))::text as json
    from users join credit_accounts c on c.user_id = id
    where id = $1`,
}

const findTags = {
  name: 'find-tags',
  text: `select json_agg(json_build_object(
      'slug', slug, 'label', label, 'description', description) order by position)::text as json
    from tags`,
}

export const accountRoutes: Readonly<Record<string, Handler>> = {
  'GET /api/auth/user': async (pool, request) => {
    const userId = await signedInUserId(pool, request)
    if (userId === null) return { status: 401, json: '{"message":"Unauthorized"}' }
    return readJson(pool, { ...findCurrentUser, values: [userId] })
  },
  'GET /api/tags': (pool) => readJson(pool, findTags),
}

async function readJson(pool: Pool, query: QueryConfig): Promise<Answer> {
  const { rows } = await pool.query<{ json: string }>(query)
  const [found] = rows
  return found
    ? { status: 200, json: found.json }
    : { status: 404, json: '{"message":"Not found"}' }
}

function isoTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
