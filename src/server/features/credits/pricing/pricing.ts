/**
 * Prices of features. Spending reads the price in the debit's statement, so a change takes effect at
 * once.
 */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import type { Visitor } from '../../../http/caller.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { logActivity } from '../../activity/activity.ts'
import { areCreditsOn } from '../../settings/settings.ts'
import { findPrices, insertPrice, updatePrice } from './pricing-queries.ts'

export async function listActivePrices(ctx: Context) {
  const prices = await findPrices(ctx)
  const active = prices.filter(({ isActive }) => isActive)
  if (await areCreditsOn(ctx)) return active
  return active.map((price) => ({ ...price, creditsRequired: 0, isPremiumOnly: false }))
}

/**
 * Returns the configured price, even if credits are off or the price is inactive: earlier debits are
 * compared with it. Null if there is none.
 */
export async function findPrice(ctx: Context, featureKey: string): Promise<number | null> {
  const prices = await findPrices(ctx)
  return prices.find((price) => price.featureKey === featureKey)?.creditsRequired ?? null
}

export async function listPrices(ctx: Context) {
  return { items: await findPrices(ctx), nextCursor: null }
}

export function createPrice(
  ctx: Context,
  { user, visitor, body }: Call<typeof api.credits.createPrice>,
) {
  return atomically(ctx, async (ctx) => {
    const made = await insertPrice(ctx, body)
    if (!made) throw problem.alreadyExists({ message: `${body.featureKey} has a price already` })
    await logPriceChange(ctx, visitor, user.id, { created: made })
    return made
  })
}

export function changePrice(
  ctx: Context,
  { user, visitor, params, body }: Call<typeof api.credits.changePrice>,
) {
  return atomically(ctx, async (ctx) => {
    const changed = await updatePrice(ctx, params.featureKey, body)
    if (!changed) throw problem.notFound()
    await logPriceChange(ctx, visitor, user.id, { featureKey: params.featureKey, changed: body })
    return changed
  })
}

export function disablePrice(
  ctx: Context,
  { user, visitor, params }: Call<typeof api.credits.disablePrice>,
) {
  return atomically(ctx, async (ctx) => {
    const disabled = await updatePrice(ctx, params.featureKey, { isActive: false })
    if (!disabled) throw problem.notFound()
    await logPriceChange(ctx, visitor, user.id, { disabled: params.featureKey })
    return { message: 'Price disabled' }
  })
}

function logPriceChange(
  ctx: Context,
  visitor: Visitor,
  userId: string,
  details: Record<string, unknown>,
): Promise<void> {
  return logActivity(ctx, visitor, {
    userId,
    action: 'admin_changed',
    feature: 'administration',
    details: { pricing: details },
  })
}
