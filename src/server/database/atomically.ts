/** One transaction, one context: what `work` does through the context it is given happens whole or not at all. */
import type { Context } from '../context.ts'
import { storageOutOfReach } from '../platform/storage/storage.ts'

export function atomically<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  return ctx.db
    .transaction()
    .execute((transaction) =>
      work({ ...ctx, ...outOfReach, mail: ctx.mail && mailOutOfReach, db: transaction }),
    )
}

/**
 * Nothing waits inside a transaction but the database itself: whoever waits for another machine there
 * holds a connection and locks for as long as that machine likes.
 */
const outOfReach: Pick<Context, 'storage' | 'fetch'> = {
  storage: storageOutOfReach(),
  fetch: () => Promise.reject(new Error('A transaction does not wait for the far web')),
}

/** Whether there is mail is known, but none is sent. */
const mailOutOfReach: NonNullable<Context['mail']> = {
  send: () => Promise.reject(new Error('A transaction does not wait for a mail server')),
  close: () => {},
}
