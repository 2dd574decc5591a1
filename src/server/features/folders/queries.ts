/** SQL queries for access to the machine's folders. */
import type { Context } from '../../context.ts'

export async function findRole(ctx: Pick<Context, 'db'>, userId: string) {
  const row = await ctx.db
    .selectFrom('users')
    .select('role')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.role ?? null
}
