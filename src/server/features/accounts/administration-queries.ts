/** SQL queries for administrators, who manage other people's accounts. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { isoTime } from '../../database/statement.ts'
import { userColumns } from './queries.ts'

export type ListedAccount = Awaited<ReturnType<typeof findAccounts>>[number]

/**
 * Returns accounts, newest first. `q` matches a part of the e-mail or name, ignoring case, or a whole id.
 */
export function findAccounts(
  ctx: Context,
  filter: {
    q: string | undefined
    after: { createdAt: string; id: string } | undefined
    limit: number
  },
) {
  const { q, after, limit } = filter
  return listedAccounts(ctx)
    .$if(q !== undefined && q !== '', (query) =>
      query.where(sql<boolean>`(users.id = ${q} or position(lower(${q}) in lower(
        concat_ws(' ', users.email, users.first_name, users.last_name))) > 0)`),
    )
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(users.created_at, users.id) < (${after?.createdAt}::timestamptz, ${after?.id})`,
      ),
    )
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc')
    .limit(limit)
    .execute()
}

export function findListedAccount(ctx: Context, id: string) {
  return listedAccounts(ctx).where('users.id', '=', id).executeTakeFirst()
}

/** Locks the user until the transaction ends. */
export function lockUser(ctx: Context, id: string) {
  return ctx.db
    .selectFrom('users')
    .select(['id', 'role', 'is_active as isActive'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Locks the set of super_admins until the transaction ends. */
export async function lockSuperAdmins(ctx: Context): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('super_admins'))`.execute(ctx.db)
}

/** Returns active super_admins: inactive ones cannot act. */
export function findSuperAdmins(ctx: Context) {
  return ctx.db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('role', '=', 'super_admin')
    .where('is_active', '=', true)
    .orderBy('email')
    .execute()
}

function listedAccounts(ctx: Context) {
  return ctx.db
    .selectFrom('users')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'users.id')
    .select(userColumns)
    .select(['credit_accounts.tier', 'credit_accounts.balance'])
    .select(sql<string>`${sql.raw(isoTime('users.created_at', 'US'))}`.as('createdAtExactly'))
}
