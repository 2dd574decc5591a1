/** SQL queries of accounts. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

export const userColumns = [
  'users.id',
  'users.email',
  'users.first_name as firstName',
  'users.last_name as lastName',
  'users.profile_image_url as profileImageUrl',
  'users.role',
  'users.is_active as isActive',
  'users.age_verified as ageVerified',
  'users.under_age as underAge',
  'users.birth_date as birthDate',
  'users.referral_code as referralCode',
  'users.referred_by as referredBy',
  'users.onboarding_completed as onboardingCompleted',
  'users.interests',
  'users.created_at as createdAt',
  'users.updated_at as updatedAt',
] as const

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>

export function findUser(ctx: Context, id: string) {
  return ctx.db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst()
}

export function findUserByEmail(ctx: Context, email: string) {
  return ctx.db
    .selectFrom('users')
    .select([...userColumns, 'users.password_hash as passwordHash'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

/** Returns null for an account without a password. */
export async function findPasswordHash(ctx: Context, id: string): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('users')
    .select('password_hash as passwordHash')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.passwordHash ?? null
}

/** Locks the user against changes of sign-in methods until the transaction ends. */
export async function holdUser(ctx: Context, id: string): Promise<void> {
  await sql`select from users where id = ${id} for no key update`.execute(ctx.db)
}

/** True when the account is linked to an OIDC provider, current or former. */
export async function hasSubject(ctx: Context, id: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('oidc_subject', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

export function findUserBySubject(ctx: Context, subject: string) {
  return ctx.db
    .selectFrom('users')
    .select(userColumns)
    .where('oidc_subject', '=', subject)
    .executeTakeFirst()
}

export type NewUser = {
  id: string
  email: string
  referralCode: string
  passwordHash: string | null
  oidcSubject: string | null
  firstName: string | null
  lastName: string | null
  profileImageUrl: string | null
  role: UserRow['role']
  ageVerified: boolean
}

/** Returns undefined when the id, the e-mail or the referral code is taken. */
export function insertUser(ctx: Context, user: NewUser) {
  const now = ctx.now()
  return ctx.db
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      password_hash: user.passwordHash,
      oidc_subject: user.oidcSubject,
      first_name: user.firstName,
      last_name: user.lastName,
      profile_image_url: user.profileImageUrl,
      role: user.role,
      age_verified: user.ageVerified,
      birth_date: null,
      referral_code: user.referralCode,
      referred_by: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(userColumns)
    .executeTakeFirst()
}

export type UserChange = {
  email?: string
  firstName?: string | null | undefined
  lastName?: string | null | undefined
  profileImageUrl?: string | null | undefined
  role?: UserRow['role'] | undefined
  isActive?: boolean | undefined
  ageVerified?: boolean | undefined
  underAge?: false | undefined
  onboardingCompleted?: boolean
  interests?: Record<string, unknown>
  passwordHash?: string
}

/** Changes the given fields; absent or undefined fields keep their values. */
export function updateUser(ctx: Context, id: string, change: UserChange) {
  return ctx.db
    .updateTable('users')
    .set({
      email: change.email,
      first_name: change.firstName,
      last_name: change.lastName,
      profile_image_url: change.profileImageUrl,
      role: change.role,
      is_active: change.isActive,
      age_verified: change.ageVerified,
      under_age: change.underAge,
      onboarding_completed: change.onboardingCompleted,
      interests: change.interests && JSON.stringify(change.interests),
      password_hash: change.passwordHash,
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .returning(userColumns)
    .executeTakeFirst()
}

export type AgeChange = { birthDate?: string; ageVerified: boolean; underAge: boolean }

/** Returns undefined when the user stated that they are a minor and was born after `adultsBornBy`. */
export function updateAge(ctx: Context, id: string, change: AgeChange, adultsBornBy: string) {
  return ctx.db
    .updateTable('users')
    .set({
      age_verified: change.ageVerified,
      under_age: change.underAge,
      birth_date: change.birthDate,
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .where(sql<boolean>`(not under_age or birth_date::text <= ${adultsBornBy})`)
    .returning(userColumns)
    .executeTakeFirst()
}

/** Completes onboarding and stores the interests. Returns undefined if it was already completed. */
export function finishOnboarding(ctx: Context, id: string, interests: Record<string, unknown>) {
  return ctx.db
    .updateTable('users')
    .set({
      onboarding_completed: true,
      interests: JSON.stringify(interests),
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .where('onboarding_completed', '=', false)
    .returning(userColumns)
    .executeTakeFirst()
}

/** Stores the language for mails. */
export async function rememberLanguage(ctx: Context, id: string, language: string): Promise<void> {
  await ctx.db
    .updateTable('users')
    .set({ language })
    .where('id', '=', id)
    .where('language', 'is distinct from', language)
    .execute()
}

/** Returns true for the user's first sign-in. */
export async function markFirstSignIn(ctx: Context, id: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('users')
    .set({ first_signed_in_at: ctx.now() })
    .where('id', '=', id)
    .where('first_signed_in_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Links a local account to a subject and deletes its password. Accounts that already have a subject are
 * not changed.
 */
export function adoptLocalUser(ctx: Context, account: { email: string; subject: string }) {
  return ctx.db
    .updateTable('users')
    .set({ oidc_subject: account.subject, password_hash: null, updated_at: ctx.now() })
    .where(sql`lower(email)`, '=', account.email.toLowerCase())
    .where('password_hash', 'is not', null)
    .where('oidc_subject', 'is', null)
    .returning(userColumns)
    .executeTakeFirst()
}
