/** SQL queries of an account's deletion: locks it, anonymises what is kept, and deletes the rest. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

/** Tables whose rows may be locked by work for the account, with the column of the owner. */
const heldTables = [
  ['credit_accounts', 'user_id'],
  ['sessions', 'user_id'],
  ['vault_media', 'user_id'],
  ['community_sessions', 'owner_id'],
  ['community_media', 'owner_id'],
  ['enhancement_generations', 'user_id'],
  ['caption_jobs', 'user_id'],
  ['idempotency_keys', 'user_id'],
  ['credit_holds', 'user_id'],
  ['payments', 'user_id'],
  ['library_imports', 'user_id'],
  ['media_renditions', 'user_id'],
  ['rooms', 'host_id'],
  ['frames', 'user_id'],
] as const

/**
 * Locks the user and all related rows, or fails at once if any is already locked: without waiting, no
 * deadlock is possible. Returns null when the account no longer exists.
 */
export async function holdAccount(ctx: Context, userId: string): Promise<{ role: string } | null> {
  const { rows } = await sql<{ role: string }>`
    select role from users where id = ${userId} for update nowait`.execute(ctx.db)
  for (const [table, owner] of heldTables)
    await sql`select from ${sql.table(table)} where ${sql.ref(owner)} = ${userId}
      for update nowait`.execute(ctx.db)
  return rows[0] ?? null
}

export type Holdings = {
  readonly sessions: number
  readonly files: number
  readonly fileBytes: number
  readonly published: number
  readonly links: number
  readonly credits: number
}

export async function countHoldings(ctx: Context, userId: string): Promise<Holdings> {
  const { rows } = await sql<Holdings>`
    select
      (select count(*) from sessions where user_id = ${userId}) as sessions,
      files.count as files, files.bytes as "fileBytes",
      (select count(*) from community_sessions
        where owner_id = ${userId} and status = 'published')
      + (select count(*) from community_media where owner_id = ${userId}) as published,
      (select count(*) from session_shares share
        join sessions session on session.id = share.session_id
        where session.user_id = ${userId})
      + (select count(*) from media_shares share
        join vault_media media on media.id = share.media_id
        where media.user_id = ${userId}) as links,
      coalesce((select balance from credit_accounts where user_id = ${userId}), 0) as credits
    from (
      select count(*) as count, coalesce(sum(file_size), 0)::bigint as bytes
      from vault_media where user_id = ${userId}
    ) files`.execute(ctx.db)
  const [found] = rows
  if (!found) throw new Error('counting gives one row')
  return found
}

export async function findRole(ctx: Context, userId: string): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('users')
    .select('role')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.role
}

/** Returns the keys of published copies, in the bucket 'general'. */
export async function findPublishedKeys(ctx: Context, userId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from (
      select unnest(array[file_key, thumbnail_key]) as key from community_media
      where owner_id = ${userId}
      union all
      select unnest(array[media.file_key, media.thumbnail_key])
      from community_session_media media
      join community_sessions publication on publication.id = media.community_session_id
      where publication.owner_id = ${userId}
      union all
      select cover_key from community_sessions where owner_id = ${userId}
    ) keys
    where key is not null`.execute(ctx.db)
  return rows.map(({ key }) => key)
}

/** Keeps transactions with their amounts and features, but removes the owner, description and metadata. */
export async function anonymiseTransactions(ctx: Context, userId: string): Promise<void> {
  await sql`
    update credit_transactions
    set user_id = null, description = 'Deleted account', metadata = null
    where user_id = ${userId}`.execute(ctx.db)
  await sql`
    update credit_transactions
    set metadata = nullif(metadata - 'grantedBy', '{}'::jsonb)
    where metadata ? 'grantedBy' and metadata ->> 'grantedBy' = ${userId}`.execute(ctx.db)
}

/** Keeps payments for bookkeeping: amount, time, method, and the charge that proves them. */
export async function anonymisePayments(ctx: Context, userId: string): Promise<void> {
  await sql`
    update payment_transfers set submitted_tx_hash = null
    where payment_id in (select id from payments where user_id = ${userId})`.execute(ctx.db)
  await sql`
    update payments set user_id = null, checkout_url = null
    where user_id = ${userId}`.execute(ctx.db)
}

/** Keeps actions as an administrator, without author and address. Deletes all other actions. */
export async function anonymiseActivity(ctx: Context, userId: string): Promise<void> {
  await sql`
    delete from activity_log where user_id = ${userId}
      and feature not in ('administration', 'moderation')`.execute(ctx.db)
  await sql`
    update activity_log set user_id = null, ip_address = null, user_agent = null
    where user_id = ${userId}`.execute(ctx.db)
}

/** Deletes the user with all dependent rows. */
export async function deleteUser(ctx: Context, userId: string): Promise<void> {
  await ctx.db.deleteFrom('users').where('id', '=', userId).execute()
}
