/** SQL queries of prices. */
import type { Context } from '../../../context.ts'
import { creditsAreOffSql } from '../../settings/settings.ts'

const priceColumns = [
  'feature_key as featureKey',
  'display_name as displayName',
  'credits_required as creditsRequired',
  'is_premium_only as isPremiumOnly',
  'description',
  'is_active as isActive',
] as const

/**
 * Returns a SQL subquery with the current prices, to use instead of the table. When credits are off,
 * everything is free for every tier.
 */
export function pricesInForce(creditsUntilChanged: 'on' | 'off'): string {
  const areOff = creditsAreOffSql(creditsUntilChanged)
  return `(
    select feature_key, is_active,
      case when ${areOff} then 0 else credits_required end as credits_required,
      is_premium_only and not ${areOff} as is_premium_only
    from feature_pricing
  )`
}

export type Price = Awaited<ReturnType<typeof findPrices>>[number]

export function findPrices(ctx: Context) {
  return ctx.db.selectFrom('feature_pricing').select(priceColumns).orderBy('feature_key').execute()
}

/** Returns undefined when the key already has a price. */
export function insertPrice(ctx: Context, price: Price) {
  return ctx.db
    .insertInto('feature_pricing')
    .values({
      feature_key: price.featureKey,
      display_name: price.displayName,
      credits_required: price.creditsRequired,
      is_premium_only: price.isPremiumOnly,
      description: price.description,
      is_active: price.isActive,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(priceColumns)
    .executeTakeFirst()
}

type PriceChange = { [Field in Exclude<keyof Price, 'featureKey'>]?: Price[Field] | undefined }

/** Changes the given fields. Returns undefined when the key has no price. */
export function updatePrice(ctx: Context, featureKey: string, change: PriceChange) {
  return ctx.db
    .updateTable('feature_pricing')
    .set({
      // Always sets a column, because SQL has no empty update.
      feature_key: featureKey,
      display_name: change.displayName,
      credits_required: change.creditsRequired,
      is_premium_only: change.isPremiumOnly,
      description: change.description,
      is_active: change.isActive,
    })
    .where('feature_key', '=', featureKey)
    .returning(priceColumns)
    .executeTakeFirst()
}
