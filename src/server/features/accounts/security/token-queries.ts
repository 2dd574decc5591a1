/** SQL queries of mailed tokens and of credentials. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

export type TokenPurpose = 'reset_password' | 'confirm_email'

/**
 * Returns the credentials and locks them until the transaction ends, so that changes happen one at a
 * time.
 */
export function holdCredentials(ctx: Context, userId: string) {
  return ctx.db
    .selectFrom('users')
    .select([
      'is_active as isActive',
      'email',
      'password_hash as passwordHash',
      'credentials_changed_at as changedAt',
    ])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function markCredentialsChanged(ctx: Context, userId: string): Promise<void> {
  await ctx.db
    .updateTable('users')
    .set({ credentials_changed_at: ctx.now() })
    .where('id', '=', userId)
    .execute()
}

export async function insertToken(
  ctx: Context,
  token: {
    tokenHash: Uint8Array
    userId: string
    purpose: TokenPurpose
    email: string | null
    askedAt: Date
    expiresAt: Date
  },
): Promise<void> {
  await ctx.db
    .insertInto('account_tokens')
    .values({
      token_hash: token.tokenHash,
      user_id: token.userId,
      purpose: token.purpose,
      email: token.email,
      asked_at: token.askedAt,
      expires_at: token.expiresAt,
    })
    .execute()
}

export function findToken(ctx: Context, purpose: TokenPurpose, tokenHash: Uint8Array) {
  return ctx.db
    .selectFrom('account_tokens')
    .innerJoin('users', 'users.id', 'account_tokens.user_id')
    .select(['users.id as userId', 'users.email', 'account_tokens.email as newEmail'])
    .where('account_tokens.token_hash', '=', tokenHash)
    .where('account_tokens.purpose', '=', purpose)
    .where('account_tokens.expires_at', '>', ctx.now())
    .where('users.is_active', '=', true)
    .executeTakeFirst()
}

/** Returns false when the token was used, invalidated or has expired. */
export async function deleteToken(
  ctx: Context,
  purpose: TokenPurpose,
  tokenHash: Uint8Array,
): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('account_tokens')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function hasLaterToken(
  ctx: Context,
  userId: string,
  purpose: TokenPurpose,
  askedAt: Date,
): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('account_tokens')
    .select('asked_at')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('asked_at', '>', askedAt)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteTokensBefore(
  ctx: Context,
  userId: string,
  purpose: TokenPurpose,
  askedAt: Date,
): Promise<void> {
  await ctx.db
    .deleteFrom('account_tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('asked_at', '<', askedAt)
    .execute()
}

export async function deleteTokensOf(ctx: Context, userId: string): Promise<void> {
  await ctx.db.deleteFrom('account_tokens').where('user_id', '=', userId).execute()
}

export async function deleteExpiredTokens(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('account_tokens').where('expires_at', '<=', ctx.now()).execute()
}

export function findMailAddress(ctx: Context, userId: string) {
  return ctx.db
    .selectFrom('users')
    .select(['email', 'language'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

export function findOwnerOfAddress(ctx: Context, email: string) {
  return ctx.db
    .selectFrom('users')
    .select(['id', 'email', 'language'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
}

/** Returns undefined when another account has the address. */
export function updateAddress(ctx: Context, userId: string, email: string) {
  return ctx.db
    .updateTable('users')
    .set({ email, updated_at: ctx.now() })
    .where('id', '=', userId)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('users as others')
            .select('others.id')
            .where(sql`lower(others.email)`, '=', email)
            .where('others.id', '<>', userId),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst()
}

/** True when another account took the address at the same moment. */
export function isAddressTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
