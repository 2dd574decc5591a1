/** Promising a fill: with a new session, with other subfeeds, or because the owner asks for it. */
import type { api } from '../../../contract/api.ts'
import { problems } from '../../../contract/problems.ts'
import { atomically } from '../../atomically.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { Problem } from '../../problem.ts'
import { spendAnd } from '../credits/spending.ts'
import { lockOwn, requireOwn } from './access.ts'
import { tell } from './events.ts'
import { mostSlides } from './fill.ts'
import { beginFillNumber, setFillDebit } from './fill-queries.ts'
import { fillSession } from './jobs.ts'
import type { NewSession, SessionView } from './queries.ts'
import { findSession, insertSession } from './queries.ts'

const promised = { status: 'pending', done: 0, total: mostSlides }

/** A new session and the promise of its first fill. Belongs into a transaction. */
export async function insertWithFill(ctx: Context, session: NewSession): Promise<SessionView> {
  const made = await insertSession(ctx, session, { fillNumber: 1, event: promised })
  await enqueue(ctx, fillSession, { sessionId: made.id, fillNumber: 1 })
  return made
}

/** Belongs into the transaction that wants the fill. */
export async function promiseFill(ctx: Context, sessionId: number): Promise<void> {
  const fillNumber = await beginFillNumber(ctx, sessionId)
  await enqueue(ctx, fillSession, { sessionId, fillNumber })
  await tell(ctx, sessionId, 'fill', promised)
}

/** Free, except after a fill that came to nothing and was paid back. */
export function refillSession(
  ctx: Context,
  { user, params, settle }: Call<typeof api.sessions.refill>,
) {
  return settle(async (ctx) => {
    const session = await requireOwn(ctx, user.id, params.id)
    refuseWithoutSubfeeds(session)
    const wasPaidBack = session.fillStatus === 'failed' && session.mediaCount === 0
    if (!wasPaidBack) return atomically(ctx, (ctx) => refill(ctx, user.id, session.id, null))
    const charge = { featureKey: 'session_create', description: `Session “${session.title}”` }
    return spendAnd(ctx, user.id, charge, (ctx, { debitId }) =>
      refill(ctx, user.id, session.id, debitId),
    )
  })
}

async function refill(ctx: Context, userId: string, id: number, debitId: number | null) {
  const session = await lockOwn(ctx, userId, id)
  if (debitId !== null) await setFillDebit(ctx, id, debitId)
  await promiseFill(ctx, id)
  return (await findSession(ctx, id)) ?? session
}

function refuseWithoutSubfeeds(session: SessionView): void {
  // One that came whole from elsewhere keeps what it came with.
  if (session.subfeeds.length > 0 && !session.isImported) return
  throw new Problem(problems.validationFailed, {
    message: 'Validation failed: the session has no subfeeds to fill it from',
  })
}
