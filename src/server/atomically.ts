/** One transaction, one context: what `work` does through the context it is given happens whole or not at all. */
import type { Context } from './context.ts'

export function atomically<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  return ctx.db.transaction().execute((transaction) => work({ ...ctx, db: transaction }))
}
