/**
 * Promises a fill: for a new session, for changed subfeeds, or on the owner's request. One
 * session_create charge pays for all fills of a session. If none has been paid, or the charge was
 * refunded after a fill without a result, the next fill is charged, however it was requested.
 */
import type { api } from '../../../../contract/api.ts'
import { problems } from '../../../../contract/problems.ts'
import type { Context } from '../../../context.ts'
import type { Part } from '../../../database/statement-parts.ts'
import { Problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { enqueue, promisePart } from '../../../jobs/enqueue.ts'
import type { Charge } from '../../credits/credits.ts'
import { inAccountTurn, spend } from '../../credits/credits.ts'
import { lockOwn } from '../access.ts'
import { emitEvent } from '../events/events.ts'
import { fillSession } from '../jobs.ts'
import type { MadeSession, NewSession, SessionView } from '../queries.ts'
import { findSession, insertPromised, newSession } from '../queries.ts'
import type { Fill } from './fill-queries.ts'
import { beginFillNumber, isFillPaid, setFillPaid } from './fill-queries.ts'
import { maxSlides } from './fill.ts'

const promised = { status: 'pending', done: 0, total: maxSlides }

export function fillCharge({ title }: { readonly title: string }): Charge {
  return { featureKey: 'session_create', description: `Session “${title}”` }
}

/**
 * Inserts a session and the promise of its first fill in one statement. Returns null if the debit has
 * no row.
 */
export function insertWithFill(
  ctx: Context,
  session: NewSession,
  debit: Part,
): Promise<MadeSession | null> {
  return insertPromised(ctx, {
    debit,
    session: newSession(ctx, session, { fillNumber: 1, event: promised }),
    promise: promisePart(ctx, fillSession),
  })
}

/**
 * Charges for the fill if necessary and promises it, in a transaction that holds the session. A
 * transaction that locks both the session and the account locks the session first.
 */
export async function promiseFill(ctx: Context, session: SessionView): Promise<void> {
  if (!(await isFillPaid(ctx, session.id))) {
    const { debitId } = await spend(ctx, session.userId, fillCharge(session))
    await setFillPaid(ctx, session.id, debitId)
  }
  await promiseFreeFill(ctx, session.id)
}

/** Promises a fill without a charge. */
export async function promiseFreeFill(ctx: Context, sessionId: number): Promise<Fill> {
  const fillNumber = await beginFillNumber(ctx, sessionId)
  await enqueue(ctx, fillSession, { sessionId, fillNumber })
  await emitEvent(ctx, sessionId, 'fill', promised)
  return { sessionId, fillNumber }
}

export function refillSession(
  ctx: Context,
  { user, params, settle }: Call<typeof api.sessions.refill>,
) {
  return settle((ctx) =>
    inAccountTurn(ctx, user.id, async (ctx) => {
      const session = await lockOwn(ctx, user.id, params.id)
      refuseWithoutSubfeeds(session)
      await promiseFill(ctx, session)
      return (await findSession(ctx, session.id)) ?? session
    }),
  )
}

export function refuseWithoutSubfeeds(session: SessionView): void {
  // An imported session keeps its slides.
  if (session.subfeeds.length > 0 && !session.isImported) return
  throw new Problem(problems.validationFailed, {
    message: 'Validation failed: the session has no subfeeds to fill it from',
  })
}
