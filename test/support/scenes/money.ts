/** Scenes of payments, credits and prices. */
import { endpoints } from '../../../src/contract/api.ts'
import { publish } from './community.ts'
import type { Scene, Stage } from './stage.ts'
import { call, nobodys } from './stage.ts'
import type { Things } from './things.ts'
import { ask, makeFilled, makeThings } from './things.ts'

const payments: Scene = async ({ as, visitor, gateway, telegram }) => {
  const ana = await as('ana')
  await ana.payments.packages()
  const buy = async (json: object) => {
    const { body } = await call(ana, 'payments.create', { json })
    return body as { paymentId: number }
  }
  const known = new Set(gateway.invoices)
  const { paymentId } = await buy({ tier: 'vip', method: 'crypto' })
  // Other scenes buy at the same time and add invoices.
  const invoice = gateway.invoices.findLast((one) => !known.has(one))
  if (!invoice) throw new Error('the gateway has no invoice')
  await buy({ tier: 'vip', method: 'telegram_stars' })
  const stars = telegram.invoices.at(-1)
  if (!stars) throw new Error('Telegram has no invoice')
  await buy({ tier: 'vip', method: 'web3' })
  await buy({ packageId: 'none', method: 'crypto' })
  await buy({ packageId: 'starter', method: 'crypto' })
  await ana.payments.list()
  const params = { id: String(paymentId) }
  await call(ana, 'payments.read', { params })
  await call(ana, 'payments.read', { params: { id: nobodys } })
  const json = { txHash: `0x${'ab'.repeat(32)}` }
  await call(ana, 'payments.submitTransaction', { params, json })
  await call(ana, 'payments.submitTransaction', { params: { id: nobodys }, json })
  const notice = gateway.notice(invoice)
  const deliver = (signature: string, body = notice.body) =>
    call(visitor(), 'payments.gatewayCallback', {
      body,
      headers: { 'x-nowpayments-sig': signature },
    })
  await deliver(notice.signature)
  await deliver('wrong')
  const tell = (secret: string, update: object = telegram.successful(stars)) =>
    call(visitor(), 'payments.telegramWebhook', {
      json: update,
      headers: { 'x-telegram-bot-api-secret-token': secret },
    })
  await tell(telegram.webhookSecret)
  await tell('wrong')
  const nothing = gateway.sign({})
  await deliver(nothing.signature, nothing.body)
  await tell(telegram.webhookSecret, [7])
  const headers = { 'x-telegram-bot-api-secret-token': telegram.webhookSecret }
  await call(visitor(), 'payments.telegramWebhook', { body: '{', headers })
  await deliver('wrong', '{')
}

const credits: Scene = async ({ as }) => {
  const ana = await as('ana')
  await ana.credits.balance()
  await ana.credits.account()
  await ana.credits.transactions()
  await ana.credits.stats()
  await ana.credits.spending()
  await ana.credits.pricing()
  await ana.credits.bonusStatus()
  await call(ana, 'credits.claimBonus')
  await call(ana, 'credits.claimBonus')
  await ana.storage.read()
  await ana.vault.list()
  await ana.sessions.list()
}

/** Uses one key for all paid calls, with another body, and many times at once. */
const idempotency: Scene = async (stage) => {
  const { owner, paid } = await paidThings(stage, 'ivo')
  const key = { 'idempotency-key': `one-${performance.now()}` }
  const rewrite = (caption: string) =>
    call(owner, 'captions.rewrite', { json: { caption }, headers: key })
  await rewrite('Look at the bay.')
  await rewrite('Look at the sea.')
  for (const [name, thing] of Object.entries(paid)) {
    await ask(owner, name, thing, key)
    const own = { 'idempotency-key': `once-${performance.now()}-${name}` }
    await Promise.all(Array.from({ length: 4 }, () => ask(owner, name, thing, own)))
    await ask(owner, name, thing, { 'idempotency-key': 'x'.repeat(300) })
  }
}

/**
 * Paid calls with an unaffordable price, a price for another tier, and without a price. The change affects
 * the whole site.
 */
const prices: Scene = async (stage) => {
  const { owner, paid } = await paidThings(stage, 'pia')
  const admin = await stage.admin()
  const { items } = await admin.credits.listPrices()
  const setAll = async (json: object) => {
    for (const { featureKey } of items)
      await call(admin, 'credits.changePrice', { params: { featureKey }, json })
  }
  const askAll = async () => {
    for (const [name, thing] of Object.entries(paid)) await ask(owner, name, thing)
  }
  try {
    await setAll({ isPremiumOnly: true })
    await askAll()
    await setAll({ isPremiumOnly: false, creditsRequired: 1_000_000 })
    await askAll()
    for (const { featureKey } of items)
      await call(admin, 'credits.disablePrice', { params: { featureKey } })
    await askAll()
  } finally {
    // Not the previous values: a restarted scene would not know them.
    await setAll({ creditsRequired: 1, isActive: true, isPremiumOnly: false })
  }
}

/** Returns one call for each endpoint with a price. */
async function paidThings(stage: Stage, name: string) {
  const [{ owner, things, sessionId }, other] = [
    await makeThings(stage, name),
    await stage.adult('oz'),
  ]
  const all: Things = {
    ...things,
    // A fill without a result was refunded, so the next fill costs again.
    'sessions.refill': { params: await makeFilled(owner, 'nothing') },
    'sessions.update': { params: { id: sessionId }, body: { subfeeds: 'city' } },
    'community.save': { params: { id: (await publish(other)).id } },
  }
  const paid = endpoints.flatMap(({ name, endpoint }) =>
    endpoint.price && all[name] ? [[name, all[name]] as const] : [],
  )
  return { owner, paid: Object.fromEntries(paid) }
}

export const moneyScenes = { payments, credits, idempotency } satisfies Record<string, Scene>
/** They change the prices of other scenes. */
export const priceScenes = { prices } satisfies Record<string, Scene>
