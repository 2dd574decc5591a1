/**
 * Users who are signed in with every contender: the same users and credit accounts, and for each user a
 * sign-in of our service and a session of express-session. One Cookie header contains both, so all
 * contenders receive the same bytes.
 */
import { createHmac } from 'node:crypto'
import type { Scripts } from '../../src/server/database/database.ts'
import { signatureOf } from '../../src/server/platform/signature.ts'
import type { Scale } from './scale.ts'

/** The cookie secret of all contenders. */
export const sessionSecret = 'benchmarks keep no secrets'

const peopleCount = 10_000
/** The number of users that the sessions benchmark needs. */
const peopleInSmoke = 200
// A real secret has 32 random bytes, which are 43 characters in base64url.
const secretLength = 43
const sessionLifetimeMs = 7 * 24 * 3600 * 1000

/** Returns the Cookie header of a user, counted from 1. */
export function cookieOf(person: number): string {
  const secret = String(person).padStart(secretLength, '0')
  const expressDigest = createHmac('sha256', sessionSecret).update(secret).digest('base64')
  const expressCookie = `s:${secret}.${expressDigest.replace(/=+$/, '')}`
  return [
    `connect.sid=${secret}.${signatureOf([sessionSecret], 'cookie', secret)}`,
    `express.sid=${encodeURIComponent(expressCookie)}`,
  ].join('; ')
}

export async function seedPeople(scripts: Scripts, scale: Scale): Promise<void> {
  const people = scale(peopleCount, peopleInSmoke)
  await scripts.run(`
    insert into users (id, email, password_hash, first_name, last_name, profile_image_url, age_verified,
      birth_date, referral_code, referred_by, onboarding_completed, interests, created_at, updated_at)
    select 'person-' || n, 'person' || n || '@example.test',
      case when n % 3 = 0 then 'not a hash of any password' end, 'Person "' || n || '"',
      case when n % 2 = 0 then 'Ōkami' end,
      case when n % 3 = 0 then 'https://pictures.example.test/' || n || '.webp' end,
      n % 5 = 0, case when n % 5 = 0 then date '1980-01-01' + n end,
      'B' || lpad(n::text, 7, '0'), case when n > 1 and n % 7 = 0 then 'person-' || (n - 1) end,
      n % 2 = 0,
      case when n % 2 = 0
        then '{"contentRole": "creator", "preferredTags": ["night", "city"]}'::jsonb
        else '{}'::jsonb end,
      now() - n * interval '1 minute', now() - n * interval '1 second'
    from generate_series(1, ${people}) n`)
  await scripts.run(`
    insert into credit_accounts (user_id, balance, tier, anchored_at, next_allocation_at)
    select id, row_number() over (order by id) % 100, 'free', created_at,
      created_at + interval '1 month'
    from users`)
  await scripts.run(`
    insert into totp_secrets (user_id, sealed_secret, confirmed_at, created_at)
    select 'person-' || n, '\\x00', case when n % 8 = 0 then now() end, now()
    from generate_series(4, ${people}, 4) n`)
  // Not the default, so that a contender that ignores this setting returns a different result.
  await scripts.run(`insert into settings values ('lowBalanceThreshold', '35', now())`)
  await seedSignIns(scripts, people)
}

async function seedSignIns(scripts: Scripts, people: number): Promise<void> {
  const secret = `lpad(n::text, ${secretLength}, '0')`
  await scripts.run(`
    insert into sign_ins
      (secret_hash, user_id, created_at, renewed_at, expires_at, last_seen_at)
    select sha256(convert_to(${secret}, 'UTF8')), 'person-' || n, now(), now(),
      now() + interval '7 days', now()
    from generate_series(1, ${people}) n`)
  // The table that connect-pg-simple needs.
  await scripts.run(`
    create table session (sid varchar primary key, sess json not null, expire timestamp(6) not null);
    create index session_expire on session (expire)`)
  await scripts.run(`
    insert into session (sid, sess, expire)
    select ${secret}, json_build_object('userId', 'person-' || n, 'cookie', json_build_object(
        'originalMaxAge', ${sessionLifetimeMs}, 'expires', now() + interval '7 days',
        'secure', true, 'httpOnly', true, 'path', '/')),
      now() + interval '7 days'
    from generate_series(1, ${people}) n`)
}
