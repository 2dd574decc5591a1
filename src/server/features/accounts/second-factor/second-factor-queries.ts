/** SQL queries of second factors: confirmed and unconfirmed secrets, and recovery codes. */
import type { Context } from '../../../context.ts'

/** Stores a secret; replaces an unconfirmed one. Returns false if a confirmed one exists. */
export async function insertSecret(
  ctx: Context,
  userId: string,
  sealedSecret: Uint8Array,
): Promise<boolean> {
  const fresh = { sealed_secret: sealedSecret, last_step: 0, created_at: ctx.now() }
  const row = await ctx.db
    .insertInto('totp_secrets')
    .values({ user_id: userId, ...fresh })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(fresh).where('totp_secrets.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Locks the row, so that only one of several concurrent confirmations succeeds. */
export function lockUnconfirmed(ctx: Context, userId: string) {
  return ctx.db
    .selectFrom('totp_secrets')
    .select('sealed_secret as sealedSecret')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export function findConfirmed(ctx: Context, userId: string) {
  return ctx.db
    .selectFrom('totp_secrets')
    .select('sealed_secret as sealedSecret')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
}

export async function confirmSecret(
  ctx: Context,
  userId: string,
  { step, codeHashes }: { step: number; codeHashes: readonly Uint8Array[] },
): Promise<void> {
  await ctx.db
    .updateTable('totp_secrets')
    .set({ confirmed_at: ctx.now(), last_step: step })
    .where('user_id', '=', userId)
    .execute()
  await ctx.db
    .insertInto('recovery_codes')
    .values(codeHashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute()
}

export function listSealed(ctx: Context) {
  return ctx.db
    .selectFrom('totp_secrets')
    .select(['user_id as userId', 'sealed_secret as sealedSecret'])
    .orderBy('user_id')
    .execute()
}

/** Returns false when the secret was changed in the meantime. */
export async function replaceSealed(
  ctx: Context,
  userId: string,
  { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array },
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('totp_secrets')
    .set({ sealed_secret: after })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', before)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks a step as used. Returns false when it or a later one was already used. */
export async function takeStep(ctx: Context, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('totp_secrets')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Uses up a recovery code: of several concurrent requests with it, only one succeeds. */
export async function takeRecoveryCode(
  ctx: Context,
  userId: string,
  codeHash: Uint8Array,
): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns false if no confirmed secret existed. */
export function deleteSecret(ctx: Context, userId: string): Promise<boolean> {
  return deleteSecretSince(ctx, userId, new Date(0))
}

/**
 * Deletes a secret that is unconfirmed, or was confirmed at this time or later. Returns false if no
 * confirmed one was deleted.
 */
export async function deleteSecretSince(
  ctx: Context,
  userId: string,
  since: Date,
): Promise<boolean> {
  const row = await ctx.db
    .deleteFrom('totp_secrets')
    .where('user_id', '=', userId)
    .where((row) => row.or([row('confirmed_at', 'is', null), row('confirmed_at', '>=', since)]))
    .returning('confirmed_at as confirmedAt')
    .executeTakeFirst()
  return row !== undefined && row.confirmedAt !== null
}
