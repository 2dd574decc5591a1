/** Payment records after their account is deleted: the bookkeeping stays, without the person. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tracesOf } from '../support/account-traces.ts'
import { emailOf } from '../support/admin-world.ts'
import type { PaymentWorld } from '../support/payment-world.ts'
import { createPaymentWorld } from '../support/payment-world.ts'
import { userIdOf } from '../support/vault-world.ts'

let world: PaymentWorld

beforeAll(async () => {
  world = await createPaymentWorld()
})
afterAll(() => world.close())

test('payments stay without their account, and money that arrives later credits no account', async () => {
  const ana = await world.as('ana')
  await world.setTier(ana, 'joi_curious')
  const userId = await userIdOf(ana)
  const begin = async () => {
    const body = { packageId: 'starter', method: 'crypto' } as const
    return (await ana.payments.create({ body })).paymentId
  }
  const [paid, open] = [await begin(), await begin()]
  const [invoice, later] = [await world.invoiceOf(paid), await world.invoiceOf(open)]
  const finished = { payment_status: 'finished' }
  const notice = world.gateway.notice(invoice, { payment_id: 7001, ...finished })
  await world.deliver(notice)
  await ana.accounts.deleteAccount({ body: { confirm: emailOf('ana') } })

  const rows = () =>
    world.ctx.db
      .selectFrom('payments')
      .select(['id', 'user_id', 'status', 'credits', 'price_cents', 'checkout_url'])
      .orderBy('id')
      .execute()
  const kept = { user_id: null, credits: 250, price_cents: 1499, checkout_url: null }
  expect(await rows()).toEqual([
    { id: paid, status: 'completed', ...kept },
    { id: open, status: 'pending', ...kept },
  ])
  expect(await tracesOf(world, userId)).toEqual([])
  expect((await world.deliver(notice)).status).toBe(200)
  const late = world.gateway.notice(later, { payment_id: 7002, ...finished })
  expect((await world.deliver(late)).status).toBe(200)
  expect((await rows()).map(({ status }) => status)).toEqual(['completed', 'failed'])
  const moved = await world.ctx.db
    .selectFrom('credit_transactions')
    .select(['amount', 'description'])
    .where('type', '=', 'purchase')
    .execute()
  expect(moved).toEqual([{ amount: 250, description: 'Deleted account' }])
})
