/**
 * Paid endpoints for tests, mounted like any other, to test the common behaviour of paid endpoints. Each
 * debit contains the note of its call, so that the ledger can be compared with the responses.
 */
import { z } from 'zod'
import { endpoint, json } from '../../src/contract/endpoint.ts'
import { failure } from '../../src/contract/failure.ts'
import { refund, spend, spendAnd } from '../../src/server/features/credits/ledger/spending.ts'
import { Problem } from '../../src/server/http/problem.ts'
import type { Handler, Route } from '../../src/server/http/route.ts'
import { route } from '../../src/server/http/route.ts'

const workFailed = failure(500, { error: 'The work failed', code: 'WORK_FAILED' }, {})

const answer = json(201, z.object({ charged: z.int(), balance: z.int(), note: z.string() }))

/** Charges credits and writes a note, in one transaction. */
const buy = endpoint({
  method: 'POST',
  path: '/api/test/buy',
  summary: 'Buys a note.',
  who: 'user',
  limit: 'none',
  price: 'session_create',
  body: z.object({ note: z.string(), quantity: z.int().min(1).default(1) }),
  answer,
  failures: [],
})

/** Charges one credit and does nothing else. */
const view = endpoint({ ...buy, path: '/api/test/view', price: 'session_slide_view' })

/** Charges credits first and then works. The work fails if the note starts with 'fail'. */
const work = endpoint({
  ...buy,
  path: '/api/test/work',
  price: 'image_censor',
  failures: [workFailed],
})

const buyNote: Handler<typeof buy> = (_, { user, body, settle }) =>
  settle((ctx) =>
    spendAnd(
      ctx,
      user.id,
      {
        featureKey: 'session_create',
        description: 'A note',
        quantity: body.quantity,
        metadata: { note: body.note },
      },
      async (ctx, { charged, balance }) => {
        await ctx.db
          .insertInto('activity_log')
          .values({
            user_id: user.id,
            action: 'note',
            feature: 'test',
            details: JSON.stringify({ note: body.note }),
            created_at: ctx.now(),
          })
          .execute()
        return { charged, balance, note: body.note }
      },
    ),
  )

const viewSlide: Handler<typeof view> = (_, { user, body, settle }) =>
  settle(async (ctx) => {
    const charge = {
      featureKey: 'session_slide_view',
      description: 'A view',
      quantity: body.quantity,
      metadata: { note: body.note },
    }
    const { charged, balance } = await spend(ctx, user.id, charge)
    return { charged, balance, note: body.note }
  })

const doWork: Handler<typeof work> = async (ctx, { user, body, settle }) => {
  const { debitId, charged, balance } = await spend(ctx, user.id, {
    featureKey: 'image_censor',
    description: 'Work',
    metadata: { note: body.note },
  })
  if (body.note === 'hang') await new Promise(() => {})
  if (body.note === 'break') throw new Error('the work broke')
  if (body.note.startsWith('fail')) {
    if (debitId !== null) await refund(ctx, debitId, 'The work failed')
    throw new Problem(workFailed)
  }
  return settle(async () => ({ charged, balance, note: body.note }))
}

export const paidRoutes: readonly Route[] = [
  route(buy, buyNote),
  route(view, viewSlide),
  route(work, doWork),
]
