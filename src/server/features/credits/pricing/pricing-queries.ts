/** The SQL of prices. */
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
 * SQL: the prices that count now, in place of the table. Without credits everything is free, and for
 * every tier.
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

/** Nothing where the key has a price already. */
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

/** Changes what is given. Nothing where the key has no price. */
export function updatePrice(ctx: Context, featureKey: string, change: PriceChange) {
  return ctx.db
    .updateTable('feature_pricing')
    .set({
      // Sets something in any case: SQL has no update of nothing.
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
