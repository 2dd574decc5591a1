/** SQL queries of passkeys. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'

const passkeyColumns = [
  'id',
  'name',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
] as const

export type PasskeyRow = Awaited<ReturnType<typeof listPasskeysOf>>[number]

/** Returns passkeys, oldest first, with the fields that let a browser exclude those it already has. */
export function listPasskeysOf(ctx: Context, userId: string) {
  return ctx.db
    .selectFrom('passkeys')
    .select([...passkeyColumns, 'credential_id as credentialId', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

type NewPasskey = {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly credentialId: string
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: string[]
}

/** Returns undefined when any account already has this credential. */
export function insertPasskey(ctx: Context, passkey: NewPasskey) {
  return ctx.db
    .insertInto('passkeys')
    .values({
      id: passkey.id,
      user_id: passkey.userId,
      name: passkey.name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(passkeyColumns)
    .executeTakeFirst()
}

export function renamePasskeyOf(ctx: Context, userId: string, id: string, name: string) {
  return ctx.db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(passkeyColumns)
    .executeTakeFirst()
}

/** Returns true if there were any. */
export async function deletePasskeysOf(ctx: Context, userId: string): Promise<boolean> {
  return (await deletePasskeysSince(ctx, userId, new Date(0))) > 0
}

/** Returns how many were added at this time or later. */
export async function deletePasskeysSince(
  ctx: Context,
  userId: string,
  since: Date,
): Promise<number> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns false when the account has no such passkey. */
export async function deletePasskey(ctx: Context, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export function findCredential(ctx: Context, credentialId: string) {
  return ctx.db
    .selectFrom('passkeys')
    .select(['id', 'user_id as userId', 'public_key as publicKey'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

/** Records a use. Returns false if the counter has not increased: the passkey may have been copied. */
export async function countUse(ctx: Context, id: string, counter: number): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('passkeys')
    .set({ counter, last_used_at: ctx.now() })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns false if it was already stored. */
export async function insertUsedChallenge(
  ctx: Context,
  challengeHash: Uint8Array,
  expiresAt: Date,
): Promise<boolean> {
  const row = await ctx.db
    .insertInto('used_passkey_challenges')
    .values({ challenge_hash: challengeHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('expires_at')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteExpiredChallenges(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('used_passkey_challenges').where('expires_at', '<=', ctx.now()).execute()
}

type SignInMethods = {
  readonly hasPassword: boolean
  readonly hasProvider: boolean
  readonly passkeys: number
}

export async function findSignInMethods(ctx: Context, userId: string): Promise<SignInMethods> {
  const { rows } = await sql<SignInMethods>`
    select password_hash is not null as "hasPassword", oidc_subject is not null as "hasProvider",
      (select count(*)::int from passkeys where user_id = users.id) as passkeys
    from users where id = ${userId}`.execute(ctx.db)
  return rows[0] ?? { hasPassword: false, hasProvider: false, passkeys: 0 }
}
