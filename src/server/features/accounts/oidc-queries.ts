/** The SQL of giving accounts to the people whom an OIDC provider vouches for. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { userColumns } from './queries.ts'

/** Gives a local account to a subject, and takes its password away. One that has a subject stays. */
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
