/** SQL queries of holds: credits reserved for running calls. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { pricesInForce } from '../pricing/pricing-queries.ts'

export type NewHold = {
  readonly id: string
  readonly userId: string
  readonly featureKey: string
  readonly description: string
  readonly quantity: number
  readonly expiresAt: Date
}

export type HoldOutcome = {
  readonly made: boolean
  /** Null when the feature has no active price. */
  readonly price: number | null
  readonly needsTier: boolean
  /** The balance minus the credits held by other calls. */
  readonly available: number
}

/**
 * Inserts a hold in one statement, whose lock reads the newest state of the account with its holds.
 * Returns undefined when the account does not exist.
 */
export async function insertHold(ctx: Context, hold: NewHold): Promise<HoldOutcome | undefined> {
  const prices = sql.raw(pricesInForce(ctx.config.credits))
  const { rows } = await sql<HoldOutcome>`
    with price as (
      select credits_required::bigint * ${hold.quantity}::int as price, is_premium_only
      from ${prices} feature_pricing where feature_key = ${hold.featureKey} and is_active
    ),
    account as materialized (
      select tier, balance - held as available
      from credit_accounts where user_id = ${hold.userId} for update
    ),
    made as (
      insert into credit_holds (id, user_id, feature_key, description, credits, expires_at)
      select ${hold.id}::uuid, ${hold.userId}, ${hold.featureKey}, ${hold.description}, price.price,
        ${hold.expiresAt}::timestamptz
      from price cross join account
      where price.price <= account.available
        and not (price.is_premium_only and account.tier = 'free')
      returning id
    )
    select exists (select from made) as made, price.price,
      coalesce(price.is_premium_only and account.tier = 'free', false) as "needsTier",
      account.available
    from account left join price on true`.execute(ctx.db)
  return rows[0]
}

/** Returns false when the hold no longer exists. */
export async function setOwed(ctx: Context, id: string, expiresAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('credit_holds')
    .set({ is_owed: true, expires_at: expiresAt })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes the hold and returns its credits; null when it does not exist or has another state. */
export async function deleteHold(
  ctx: Context,
  id: string,
  state: { isOwed: boolean },
): Promise<number | null> {
  const deleted = await ctx.db
    .deleteFrom('credit_holds')
    .where('id', '=', id)
    .where('is_owed', '=', state.isOwed)
    .returning('credits')
    .executeTakeFirst()
  return deleted?.credits ?? null
}

/**
 * Returns owed holds that were not collected after their response: the node died, or the database did not
 * answer.
 */
export function findOwedHolds(ctx: Context) {
  return ctx.db
    .selectFrom('credit_holds')
    .select(['id', 'user_id as userId', 'feature_key as featureKey', 'description'])
    .where('is_owed', '=', true)
    .where('expires_at', '<=', ctx.now())
    .limit(500)
    .execute()
}

/** Returns holds whose call never ended: its node died. */
export function findExpiredHolds(ctx: Context) {
  return ctx.db
    .selectFrom('credit_holds')
    .select('id')
    .where('is_owed', '=', false)
    .where('expires_at', '<=', ctx.now())
    .limit(500)
    .execute()
}
