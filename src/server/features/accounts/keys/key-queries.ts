/** SQL queries of API keys. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { runStatement } from '../../../database/statement.ts'
import type { SignedInUser } from '../../../http/caller.ts'
import type { KeyScope } from '../../../../contract/key-scopes.ts'

type KeyHolderRow = Omit<SignedInUser, 'renewal'> & {
  readonly keyId: string
  readonly lastUsedAt: Date | null
}

const keysStatement = `
  select asked.ordinal, users.id, users.role, users.is_active as "isActive",
    users.age_verified as "ageVerified", users.referral_code as "referralCode",
    api_keys.scopes, api_keys.id as "keyId", api_keys.last_used_at as "lastUsedAt"
  from unnest((select $1::bytea[])) with ordinality as asked (secret_hash, ordinal)
  join api_keys on api_keys.secret_hash = asked.secret_hash
    and (api_keys.expires_at is null or api_keys.expires_at > $2)
  join users on users.id = api_keys.user_id`

/**
 * Returns each key with its user, or null, in the requested order. It runs for every request with a key.
 */
export async function findKeys(
  ctx: Context,
  secretHashes: readonly Uint8Array[],
): Promise<(KeyHolderRow | null)[]> {
  type Row = KeyHolderRow & { ordinal: number }
  const rows = await runStatement<Row>(ctx, keysStatement, [secretHashes, ctx.now()])
  const found: (KeyHolderRow | null)[] = secretHashes.map(() => null)
  for (const { ordinal, ...holder } of rows) found[ordinal - 1] = holder
  return found
}

/** Records the last use, unless another request just did: a program may send many requests at once. */
export async function touchKey(
  ctx: Context,
  id: string,
  { ip, userAgent, before }: { ip: string; userAgent: string | null; before: Date },
): Promise<void> {
  await ctx.db
    .updateTable('api_keys')
    .set({ last_used_at: ctx.now(), ip_address: ip, user_agent: userAgent })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<=', before)]))
    .execute()
}

const keyColumns = [
  'id',
  'name',
  'scopes',
  'prefix',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'expires_at as expiresAt',
] as const

export type KeyRow = Awaited<ReturnType<typeof listKeysOf>>[number]

/** Oldest first. */
export function listKeysOf(ctx: Context, userId: string) {
  return ctx.db
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Returns unexpired keys for the list of sign-ins. A key counts as a sign-in from its creation. */
export function findKeySignIns(ctx: Context, userId: string) {
  return ctx.db
    .selectFrom('api_keys')
    .select(['id', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .select(['ip_address as ipAddress', 'user_agent as userAgent'])
    .where('user_id', '=', userId)
    .where((where) =>
      where.or([where('expires_at', 'is', null), where('expires_at', '>', ctx.now())]),
    )
    .execute()
}

/** Returns true if there were any. */
export async function deleteKeysOf(ctx: Context, userId: string): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('api_keys')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countKeysOf(ctx: Context, userId: string): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

type NewKey = {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly scopes: KeyScope[]
  readonly prefix: string
  readonly secretHash: Uint8Array
  readonly expiresAt: Date | null
}

export function insertKey(ctx: Context, key: NewKey): Promise<KeyRow> {
  return ctx.db
    .insertInto('api_keys')
    .values({
      id: key.id,
      user_id: key.userId,
      name: key.name,
      scopes: key.scopes,
      prefix: key.prefix,
      secret_hash: key.secretHash,
      created_at: ctx.now(),
      expires_at: key.expiresAt,
    })
    .returning(keyColumns)
    .executeTakeFirstOrThrow()
}

/** Returns false when the account has no key with this id, or the id is invalid. */
export async function deleteKey(ctx: Context, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('api_keys')
    .where(sql`id::text`, '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
