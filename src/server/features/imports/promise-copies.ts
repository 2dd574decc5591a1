/** The front door for sessions that have come in: what of them lies elsewhere is copied behind them. */
import type { Context } from '../../context.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { tell } from '../sessions/sessions.ts'
import { tellImported } from './copying.ts'
import { copyImported } from './jobs.ts'
import { insertMediaToCopy } from './queries.ts'

/** In the transaction that makes the session. */
export async function promiseCopies(
  ctx: Context,
  session: { readonly id: number; readonly mediaCount: number },
): Promise<void> {
  const total = await insertMediaToCopy(ctx, session.id)
  if (total === 0) return tellImported(ctx, session)
  await tell(ctx, session.id, 'importing', { done: 0, total })
  await enqueue(ctx, copyImported, { sessionId: session.id })
}
