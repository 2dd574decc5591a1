/** One transaction, one context: everything that `work` does through its context commits or rolls back together. */
import type { Context } from '../context.ts'
import { storageOutOfReach } from '../platform/storage/storage.ts'
import { isStalePlan } from './stale-plans.ts'

/** Runs `work` a second time if a migration made the prepared plans of the first run stale. */
export async function atomically<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  try {
    return await inTransaction(ctx, work)
  } catch (error) {
    if (!isStalePlan(error)) throw error
    return inTransaction(ctx, work)
  }
}

function inTransaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  return ctx.db
    .transaction()
    .execute((transaction) =>
      work({ ...ctx, ...outOfReach, mail: ctx.mail && mailOutOfReach, db: transaction }),
    )
}

/**
 * A transaction waits for the database alone. Waiting for another machine inside it would hold a
 * connection and locks for as long as that machine takes.
 */
const outOfReach: Pick<Context, 'storage' | 'fetch'> = {
  storage: storageOutOfReach(),
  fetch: () => Promise.reject(new Error('A transaction must not wait for a remote server')),
}

/** Tells whether mail is configured, but refuses to send any. */
const mailOutOfReach: NonNullable<Context['mail']> = {
  send: () => Promise.reject(new Error('A transaction must not wait for a mail server')),
  close: () => {},
}
