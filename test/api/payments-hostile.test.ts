/** Payment callbacks with every kind of wrong body: refused with a clear message, and without effect. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Notice } from '../support/nowpayments-server.ts'
import type { PaymentWorld } from '../support/payment-world.ts'
import { createPaymentWorld } from '../support/payment-world.ts'
import { recordingWorldLog } from '../support/recording-log.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: PaymentWorld
let ana: Person
let cryptoId: number
let starsId: number
const { log, lines } = recordingWorldLog()
const sentSignatures: string[] = []

beforeAll(async () => {
  world = await createPaymentWorld({}, { log })
  ana = await world.as('ana')
  cryptoId = (await ana.payments.create({ body: { tier: 'vip', method: 'crypto' } })).paymentId
  const stars = { tier: 'vip', method: 'telegram_stars' } as const
  starsId = (await ana.payments.create({ body: stars })).paymentId
})
afterAll(async () => {
  const secrets = [...world.gateway.secrets, ...world.telegram.secrets, ...sentSignatures]
  expect(lines.length).toBeGreaterThan(100)
  for (const secret of secrets)
    expect(
      lines.filter((line) => line.includes(secret)),
      secret,
    ).toEqual([])
  await world.close()
})

/** Returns all rows that a callback could change. */
async function everything(): Promise<string> {
  const tables = ['payments', 'payment_charges', 'credit_accounts', 'credit_transactions'] as const
  const rows: unknown[] = []
  for (const table of tables) rows.push(await world.ctx.db.selectFrom(table).selectAll().execute())
  const entries = await world.ctx.db.selectFrom('activity_log').select('action').execute()
  return JSON.stringify([rows, entries])
}

async function withoutEffect(work: () => Promise<void>): Promise<void> {
  const before = await everything()
  await work()
  expect(await everything()).toBe(before)
}

const deliver = async (notice: Notice) => {
  if (notice.signature.length === 128) sentSignatures.push(notice.signature)
  return (await world.deliver(notice)).status
}

const hostileBodies = () =>
  Object.entries(
    JSON.parse(readFileSync(sharedFile('corpora/json/hostile-bodies.json'), 'utf8')) as Record<
      string,
      string
    >,
  )

const deepObject = `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`

/** Values of other types, for a field that is a number, a text or an object. */
const otherKinds = [undefined, null, true, {}, [], [1], -1, 1.5, 1e300, '', 'x', '\u2028', '1e3']

describe('the gateway’s callback', () => {
  testShared('refuses hostile bodies, unsigned or with an invalid signature', async () => {
    const bodies = hostileBodies()
    await withoutEffect(async () => {
      for (const [name, body] of bodies)
        for (const signature of ['', 'f'.repeat(128), 'zz'])
          expect([400, 401], name).toContain(await deliver({ body, signature }))
    })
    return bodies.length * 3
  })

  test('refuses signed bodies with a missing or wrong field', async () => {
    const invoice = await world.invoiceOf(cryptoId)
    const whole = JSON.parse(world.gateway.notice(invoice).body) as Record<string, unknown>
    const fields = [
      'payment_id',
      'payment_status',
      'price_amount',
      'price_currency',
      'order_id',
      'invoice_id',
      'parent_payment_id',
      'actually_paid',
      'pay_amount',
    ]
    let refusals = 0
    await withoutEffect(async () => {
      for (const field of fields)
        for (const value of otherKinds) {
          const body = { ...whole, payment_status: 'waiting', [field]: value }
          const status = await deliver(world.gateway.sign(body))
          // Optional fields may be missing, and an unknown state has no effect.
          expect([200, 400], `${field} ${JSON.stringify(value)}`).toContain(status)
          if (status !== 200) refusals += 1
        }
    })
    expect(refusals).toBeGreaterThan(80)
  })

  test('refuses bodies that are too large, too deep, or not JSON, and the other secret', async () => {
    await withoutEffect(async () => {
      const invoice = await world.invoiceOf(cryptoId)
      const finished = world.gateway.notice(invoice)
      const large = world.gateway.notice(invoice, { pay_address: 'x'.repeat(1_100_000) })
      expect(
        (await postRaw('/api/payments/callback/nowpayments', large.body, large.signature)).status,
      ).toBe(413)
      expect(await deliver({ body: deepObject, signature: 'f'.repeat(128) })).toBe(401)
      expect(
        await deliver({ body: finished.body.slice(0, -1), signature: finished.signature }),
      ).toBe(400)
      const form = await postRaw('/api/payments/callback/nowpayments', 'a=1', finished.signature, {
        'content-type': 'application/x-www-form-urlencoded',
      })
      expect(form.status).toBe(415)
      const [apiKey] = world.gateway.secrets
      expect(await deliver({ body: finished.body, signature: apiKey! })).toBe(401)
      expect(await deliver({ body: finished.body, signature: world.telegram.webhookSecret })).toBe(
        401,
      )
    })
  })

  test('refuses a body of many keys quickly, and one that pollutes prototypes', async () => {
    await withoutEffect(async () => {
      const many = Object.fromEntries(Array.from({ length: 40_000 }, (_, key) => [`k${key}`, key]))
      expect(await deliver(world.gateway.sign(many))).toBe(400)
      const body =
        '{"__proto__":{"order_id":"x","polluted":1},"constructor":{"prototype":{"polluted":1}}}'
      expect(await deliver({ body, signature: 'f'.repeat(128) })).toBe(401)
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    })
  })
})

describe('Telegram’s webhook', () => {
  testShared('refuses hostile bodies, with the secret and without', async () => {
    const bodies = hostileBodies()
    await withoutEffect(async () => {
      for (const [name, body] of bodies) {
        expect([400, 401], name).toContain((await world.tell(body, {})).status)
        expect((await world.tell(body)).status, name).toBe(400)
      }
    })
    return bodies.length * 2
  })

  test('refuses updates with a missing or wrong field', async () => {
    const invoice = await world.starsInvoiceOf(starsId)
    const paid = world.telegram.successful(invoice) as { message: Record<string, unknown> }
    const payment = paid.message['successful_payment'] as Record<string, unknown>
    const checkout = world.telegram.preCheckout(invoice)
    const query = checkout['pre_checkout_query'] as Record<string, unknown>
    const broken = ['currency', 'total_amount', 'invoice_payload', 'telegram_payment_charge_id']
    let refusals = 0
    await withoutEffect(async () => {
      for (const field of broken)
        for (const value of [undefined, null, true, {}, [], 1.5]) {
          const changed = { ...payment, [field]: value }
          const message = { ...paid.message, successful_payment: changed }
          expect((await world.tell({ ...paid, message })).status, field).toBe(400)
          refusals += 1
        }
      for (const field of ['id', 'from', 'currency', 'total_amount', 'invoice_payload'])
        for (const value of [undefined, null, true, [], 1.5]) {
          const changed = { ...query, [field]: value }
          const update = { ...checkout, pre_checkout_query: changed }
          expect((await world.tell(update)).status, field).toBe(400)
          refusals += 1
        }
      for (const update of [{}, { update_id: 'x' }, { update_id: 1, message: 'hi' }])
        expect((await world.tell(update)).status).toBe(400)
    })
    expect(refusals).toBe(49)
  })

  test('refuses bodies that are too large or too deep', async () => {
    await withoutEffect(async () => {
      const large = JSON.stringify({ update_id: 1, text: 'x'.repeat(1_100_000) })
      expect((await postRaw('/api/webhooks/telegram', large, '')).status).toBe(413)
      expect((await world.tell(deepObject)).status).toBe(400)
    })
  })
})

test('an outage of a provider leaves no secret in the log', async () => {
  for (const outage of ['hangs up', 'server error', 'nonsense', 'redirect'] as const) {
    world.gateway.setOutage(outage)
    world.telegram.setOutage(outage)
    for (const method of ['crypto', 'telegram_stars'] as const)
      expect((await refused(ana.payments.create({ body: { tier: 'vip', method } }))).status).toBe(
        503,
      )
  }
  world.gateway.setOutage('none')
  world.telegram.setOutage('none')
  expect(lines.some((line) => line.includes('failed to start a payment'))).toBe(true)
})

function postRaw(
  path: string,
  body: string,
  signature: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return world.visitor().fetch(path, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-nowpayments-sig': signature,
      'x-telegram-bot-api-secret-token': world.telegram.webhookSecret,
      ...headers,
    },
  })
}
