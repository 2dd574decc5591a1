/** Lists offers, starts payments, and shows people their own payments. */
import type { api } from '../../../contract/api.ts'
import { paymentMethods } from '../../../contract/payments.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { readTier } from '../credits/credits.ts'
import type { Settings } from '../settings/settings.ts'
import { areCreditsOn, readSettings } from '../settings/settings.ts'
import type { Offer } from './catalogue.ts'
import {
  listPackages,
  listTiers,
  mayBuyPackages,
  offerOfPackage,
  offerOfTier,
} from './catalogue.ts'
import { presentPayment } from './payment-json.ts'
import type { MethodName, Order } from './payment-method.ts'
import { ProviderUnavailable } from './payment-method.ts'
import {
  findOwnPayment,
  findOwnPayments,
  findPayment,
  insertPayment,
  moveStatus,
  setCheckout,
} from './queries.ts'
import { reserveTransfer } from './transfers.ts'

const hourMs = 3600 * 1000

const lifetimeMs: Readonly<Record<MethodName, number>> = {
  crypto: 24 * hourMs,
  telegram_stars: hourMs,
  web3: 24 * hourMs,
}

export async function listOffers(ctx: Context, { user }: Call<typeof api.payments.packages>) {
  const { tier, tierUntil } = await tierOf(ctx, user.id)
  const settings = await readSettings(ctx)
  return {
    packages: listPackages(),
    tiers: listTiers(settings),
    methods: paymentMethodsOf(ctx, settings),
    current: { tier, tierUntil: tierUntil?.toISOString() ?? null },
  }
}

/** Returns the configured payment methods; none when credits are off. */
export function paymentMethodsOf(ctx: Context, { credits }: Settings): MethodName[] {
  return paymentMethods.filter((method) => credits === 'on' && ctx.payments[method])
}

export async function refuseWithoutCredits(ctx: Context): Promise<void> {
  if (await areCreditsOn(ctx)) return
  throw problem.creditsOff({ message: 'This site has no credits to buy' })
}

export async function createPayment(
  ctx: Context,
  { user, body }: Call<typeof api.payments.create>,
) {
  const { method } = body
  const offer = offerOf(body, await readSettings(ctx))
  if (!offer) throw problem.notFound()
  await refuseForbiddenPurchase(ctx, user.id, offer)
  if (!ctx.payments[method])
    throw problem.paymentMethodUnavailable({
      message: 'This payment method is not set up on this site',
    })
  const reference = ctx.newId()
  const id = await insertPayment(ctx, {
    userId: user.id,
    reference,
    method,
    offer,
    stars: method === 'telegram_stars' ? starsFor(ctx, offer) : null,
    expiresAt: new Date(ctx.now().getTime() + lifetimeMs[method]),
  })
  try {
    await begin(ctx, id, method, orderOf(offer, reference))
  } catch (error) {
    await moveStatus(ctx, id, { from: ['pending'], to: 'failed' })
    if (!(error instanceof ProviderUnavailable)) throw error
    ctx.log.warn(
      { event: 'payment_not_begun', paymentId: id, method, reason: error.message },
      'failed to start a payment',
    )
    throw problem.paymentMethodUnavailable({
      message: 'This payment method is not available at the moment',
    })
  }
  return readPaymentOf(ctx, id)
}

export async function listPayments(ctx: Context, { user, query }: Call<typeof api.payments.list>) {
  const { limit, cursor } = query
  // One more than requested shows if there is another page.
  const found = await findOwnPayments(ctx, user.id, { limit: limit + 1, before: cursor })
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map(presentPayment),
    nextCursor: found.length > limit && last ? String(last.id) : null,
  }
}

export async function readPayment(ctx: Context, { user, params }: Call<typeof api.payments.read>) {
  const payment = await findOwnPayment(ctx, user.id, params.id)
  if (!payment) throw problem.notFound()
  return presentPayment(payment)
}

/** True when the user may buy the offer: in the free tier, only tiers can be bought. */
export async function mayBuy(
  ctx: Context,
  userId: string,
  { packageId }: Pick<Offer, 'packageId'>,
) {
  return packageId === null || mayBuyPackages((await tierOf(ctx, userId)).tier)
}

async function refuseForbiddenPurchase(ctx: Context, userId: string, offer: Offer): Promise<void> {
  if (!(await mayBuy(ctx, userId, offer)))
    throw problem.purchaseNotAllowed({ message: 'Credits can be bought in a paid tier only' })
}

async function tierOf(ctx: Context, userId: string) {
  const found = await readTier(ctx, userId)
  if (!found) throw problem.unauthorized()
  return found
}

function offerOf(
  { packageId, tier }: Call<typeof api.payments.create>['body'],
  settings: Settings,
): Offer | null {
  return tier ? offerOfTier(tier, settings) : offerOfPackage(packageId ?? '')
}

function starsFor(ctx: Context, { priceCents }: Offer): number | null {
  return ctx.payments.telegram_stars?.starsFor(priceCents) ?? null
}

function orderOf(offer: Offer, reference: string): Order {
  const { name, tier, credits, priceCents } = offer
  const description = tier ? `${credits} credits a month, for 30 days` : `${credits} credits`
  return { reference, title: name, description, priceCents }
}

async function begin(ctx: Context, id: number, method: MethodName, order: Order): Promise<void> {
  switch (method) {
    case 'crypto': {
      const made = await required(ctx.payments.crypto).begin(order)
      return setCheckout(ctx, id, { url: made.checkoutUrl, invoiceId: made.invoiceId })
    }
    case 'telegram_stars': {
      const made = await required(ctx.payments.telegram_stars).begin(order)
      return setCheckout(ctx, id, { url: made.invoiceLink, invoiceId: null })
    }
    case 'web3':
      return reserveTransfer(ctx, required(ctx.payments.web3), id, order)
  }
}

function required<Method>(method: Method | null): Method {
  if (!method) throw new ProviderUnavailable('not configured')
  return method
}

async function readPaymentOf(ctx: Context, id: number) {
  const payment = await findPayment(ctx, id)
  if (!payment) throw new Error(`payment ${id} is gone`)
  return presentPayment(payment)
}
