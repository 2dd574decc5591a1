/** SQL queries of sign-ins, and of used OIDC states. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import type { SignedInUser } from '../../http/caller.ts'
import { deleteExpiredTokens } from './security/token-queries.ts'

type SignInRow = Omit<SignedInUser, 'renewal' | 'scopes'> & {
  readonly renewedAt: Date
  readonly lastSeenAt: Date
}

// Selects only the user's columns that every request needs. The subselect hides the array's length from
// the planner, which would otherwise plan again for each length.
const signInsStatement = `
  select asked.ordinal, users.id, users.role, users.is_active as "isActive",
    users.age_verified as "ageVerified", users.referral_code as "referralCode",
    sign_ins.renewed_at as "renewedAt", sign_ins.last_seen_at as "lastSeenAt"
  from unnest((select $1::bytea[])) with ordinality as asked (secret_hash, ordinal)
  join sign_ins on sign_ins.secret_hash = asked.secret_hash and sign_ins.expires_at > $2
  join users on users.id = sign_ins.user_id`

/**
 * Returns each sign-in with its user, or null, in the requested order. It runs for every request of a
 * signed-in user.
 */
export async function findSignIns(
  ctx: Context,
  secretHashes: readonly Uint8Array[],
): Promise<(SignInRow | null)[]> {
  type Row = SignInRow & { ordinal: number }
  const rows = await runStatement<Row>(ctx, signInsStatement, [secretHashes, ctx.now()])
  const found: (SignInRow | null)[] = secretHashes.map(() => null)
  for (const { ordinal, ...signIn } of rows) found[ordinal - 1] = signIn
  return found
}

export async function insertSignIn(
  ctx: Context,
  signIn: {
    secretHash: Uint8Array
    userId: string
    expiresAt: Date
    ipAddress: string | null
    userAgent: string | null
  },
): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .insertInto('sign_ins')
    .values({
      secret_hash: signIn.secretHash,
      user_id: signIn.userId,
      created_at: now,
      renewed_at: now,
      last_seen_at: now,
      expires_at: signIn.expiresAt,
      ip_address: signIn.ipAddress,
      user_agent: signIn.userAgent,
    })
    .execute()
}

export async function extendSignIn(
  ctx: Context,
  signIn: { secretHash: Uint8Array; expiresAt: Date },
): Promise<void> {
  await ctx.db
    .updateTable('sign_ins')
    .set({ renewed_at: ctx.now(), expires_at: signIn.expiresAt })
    .where('secret_hash', '=', signIn.secretHash)
    .execute()
}

/** Renews the sign-in with another secret. */
export async function replaceSecret(
  ctx: Context,
  signIn: { before: Uint8Array; after: Uint8Array; expiresAt: Date },
): Promise<void> {
  await ctx.db
    .updateTable('sign_ins')
    .set({ secret_hash: signIn.after, renewed_at: ctx.now(), expires_at: signIn.expiresAt })
    .where('secret_hash', '=', signIn.before)
    .execute()
}

/** Records the time, unless another request just did: a browser may send many requests at once. */
export async function recordSeen(
  ctx: Context,
  signIn: { secretHash: Uint8Array; before: Date },
): Promise<void> {
  await ctx.db
    .updateTable('sign_ins')
    .set({ last_seen_at: ctx.now() })
    .where('secret_hash', '=', signIn.secretHash)
    .where('last_seen_at', '<=', signIn.before)
    .execute()
}

export async function findSignInTime(ctx: Context, secretHash: Uint8Array): Promise<Date | null> {
  const row = await ctx.db
    .selectFrom('sign_ins')
    .select('created_at')
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
  return row?.created_at ?? null
}

/** Returns addresses from which the owner has signed in, or has reset the password by mail. */
export async function findSignInAddresses(
  ctx: Context,
  userId: string,
  since: Date,
): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('activity_log')
    .select('ip_address as ipAddress')
    .distinct()
    .where('user_id', '=', userId)
    .where('action', 'in', ['login', 'password_reset'])
    .where('created_at', '>=', since)
    .where('ip_address', 'is not', null)
    .execute()
  return rows.flatMap(({ ipAddress }) => ipAddress ?? [])
}

export function findSignInsOf(ctx: Context, userId: string) {
  return ctx.db
    .selectFrom('sign_ins')
    .select(['id', 'secret_hash as secretHash', 'created_at as createdAt'])
    .select(['last_seen_at as lastSeenAt', 'ip_address as ipAddress', 'user_agent as userAgent'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', ctx.now())
    .execute()
}

/** Returns undefined when the sign-in belongs to someone else, or the id is invalid. */
export function deleteSignInById(ctx: Context, userId: string, id: string) {
  return ctx.db
    .deleteFrom('sign_ins')
    .where('user_id', '=', userId)
    .where(sql`id::text`, '=', id)
    .returning('secret_hash as secretHash')
    .executeTakeFirst()
}

/** Ends the sign-ins on all devices except the one with this secret. */
export async function endSignInsExcept(
  ctx: Context,
  userId: string,
  secretHash: Uint8Array | null,
): Promise<void> {
  await ctx.db
    .deleteFrom('sign_ins')
    .where('user_id', '=', userId)
    .where('secret_hash', 'is distinct from', secretHash)
    .execute()
}

export async function deleteSignIn(ctx: Context, secretHash: Uint8Array): Promise<void> {
  await ctx.db.deleteFrom('sign_ins').where('secret_hash', '=', secretHash).execute()
}

/** Ends the sign-ins on all devices, effective on every node at once. */
export async function endAllSignIns(ctx: Context, userId: string): Promise<void> {
  await ctx.db.deleteFrom('sign_ins').where('user_id', '=', userId).execute()
}

/** Returns false if it was already stored. */
export async function insertUsedState(
  ctx: Context,
  stateHash: Uint8Array,
  expiresAt: Date,
): Promise<boolean> {
  const row = await ctx.db
    .insertInto('used_oidc_states')
    .values({ state_hash: stateHash, expires_at: expiresAt })
    .onConflict((row) => row.doNothing())
    .returning('expires_at')
    .executeTakeFirst()
  return row !== undefined
}

export async function isUsedState(ctx: Context, stateHash: Uint8Array): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('used_oidc_states')
    .select('expires_at')
    .where('state_hash', '=', stateHash)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteExpired(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('sign_ins').where('expires_at', '<=', ctx.now()).execute()
  await ctx.db.deleteFrom('used_oidc_states').where('expires_at', '<=', ctx.now()).execute()
  await deleteExpiredTokens(ctx)
}
