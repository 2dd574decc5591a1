/** The SQL statements that charge and refund credits. Each is a single statement with all checks. */
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { runStatement } from '../../../database/statement.ts'
import type { Part } from '../../../database/statement-parts.ts'
import { runParts } from '../../../database/statement-parts.ts'
import { pricesInForce } from '../pricing/pricing-queries.ts'

export type Debit = {
  readonly featureKey: string
  readonly quantity: number
  readonly description: string
  readonly metadata: Record<string, unknown> | null
}

export type DebitOutcome = {
  /** The id of the transaction; null if it was not taken or the price is 0. */
  readonly id: number | null
  /** Null when the feature has no active price. */
  readonly price: number | null
  readonly needsTier: boolean
  readonly balance: number
} & (
  | { readonly taken: true }
  /** `available` is the balance minus the credits held by running calls: the maximum of a debit. */
  | { readonly taken: false; readonly available: number }
)

/**
 * Takes the debits in order, as far as balance, prices and tier allow. Returns no outcome when the
 * account does not exist. Most calls have one debit and do not use purchased credits, so a simpler
 * statement, which only handles success, is tried first.
 */
export async function takeDebits(
  ctx: Context,
  userId: string,
  debits: readonly Debit[],
): Promise<readonly DebitOutcome[]> {
  const [first] = debits
  const alone = first && debits.length === 1 ? await takeOne(ctx, userId, first) : null
  return alone ? [alone] : takeMany(ctx, userId, debits)
}

const plainDebitText = (prices: string) => `
  price as (
    select credits_required::bigint * $3::int as price, is_premium_only
    from ${prices} feature_pricing where feature_key = $2 and is_active
  ),
  moved as (
    update credit_accounts account set balance = account.balance - price.price
    from price
    where account.user_id = $1 and account.purchased <= account.balance - price.price
      and price.price <= account.balance - account.held and price.price > 0
      and not (price.is_premium_only and account.tier = 'free')
    returning account.balance, price.price
  ),
  debit as (
    insert into credit_transactions (user_id, amount, type, description, feature_key, metadata,
      balance_after, created_at)
    select $1, -price, 'spend', $4, $2, $5::jsonb, balance, $6 from moved
    returning id, -amount as price, balance_after as balance
  )`

/**
 * Returns the debit as a part of a statement. `debit` has one row, or none when the full statement must
 * decide.
 */
export function plainDebit(ctx: Context, userId: string, debit: Debit): Part {
  const { featureKey, quantity, description, metadata } = debit
  const kept = metadata && JSON.stringify(metadata)
  return {
    text: statementsOf(ctx).plainDebit,
    parameters: [userId, featureKey, quantity, description, kept, ctx.now()],
  }
}

/** Returns a part that replaces a debit which was already taken, or was free (null). */
export function takenDebit(id: number | null): Part {
  return { text: 'debit as (select $1::int as id)', parameters: [id] }
}

async function takeOne(ctx: Context, userId: string, debit: Debit): Promise<DebitOutcome | null> {
  type Taken = { id: number; price: number; balance: number }
  const parts = [plainDebit(ctx, userId, debit)]
  const [taken] = await runParts<Taken>(ctx, parts, 'select id, price, balance from debit')
  return taken ? { ...taken, taken: true, needsTier: false } : null
}

// Locks the account's row, computes the debits one by one, and writes the row once.
const takeManyStatement = (prices: string) => `
  with recursive wanted as (
    select list.*, price.credits_required::bigint * list.quantity as price, price.is_premium_only
    from unnest($2::text[], $3::int[], $4::text[], $5::text[])
      with ordinality as list (feature_key, quantity, description, metadata, n)
    left join ${prices} price
      on price.feature_key = list.feature_key and price.is_active
  ),
  account as materialized (
    select balance::bigint, purchased::bigint, held::bigint, tier
    from credit_accounts where user_id = $1 for update
  ),
  walk as (
    select 0::bigint as n, balance, purchased, 0::bigint as from_purchased, false as taken
    from account
    union all
    select wanted.n, after.balance, least(walk.purchased, after.balance),
      walk.purchased - least(walk.purchased, after.balance), verdict.taken
    from walk
    join wanted on wanted.n = walk.n + 1
    cross join account
    cross join lateral (
      select coalesce(
        wanted.price <= walk.balance - account.held
          and not (wanted.is_premium_only and account.tier = 'free'),
        false
      ) as taken
    ) verdict
    cross join lateral (
      select walk.balance - case when verdict.taken then wanted.price else 0 end as balance
    ) after
  ),
  chosen as (
    select walk.n, walk.balance, walk.from_purchased, wanted.price, wanted.feature_key,
      wanted.description, wanted.metadata
    from walk join wanted on wanted.n = walk.n
    where walk.taken and wanted.price > 0
    order by walk.n
  ),
  entry as materialized (
    select chosen.*, nextval(pg_get_serial_sequence('credit_transactions', 'id')) as id from chosen
  ),
  written as (
    insert into credit_transactions (id, user_id, amount, type, description, feature_key,
      metadata, balance_after, from_purchased, created_at)
    overriding system value
    select id, $1, -price, 'spend', description, feature_key, metadata::jsonb, balance,
      from_purchased, $6
    from entry
  ),
  moved as (
    update credit_accounts
    set balance = final.balance, purchased = final.purchased
    from (select balance, purchased from walk order by n desc limit 1) final
    where user_id = $1 and exists (select from entry)
  )
  select walk.taken, entry.id::int as id, wanted.price, walk.balance,
    walk.balance - account.held as available,
    coalesce(wanted.is_premium_only and account.tier = 'free', false) as "needsTier"
  from walk
  join wanted on wanted.n = walk.n
  cross join account
  left join entry on entry.n = walk.n
  order by walk.n`

export function takeMany(
  ctx: Context,
  userId: string,
  debits: readonly Debit[],
): Promise<DebitOutcome[]> {
  return runStatement<DebitOutcome>(ctx, statementsOf(ctx).takeMany, [
    userId,
    debits.map(({ featureKey }) => featureKey),
    debits.map(({ quantity }) => quantity),
    debits.map(({ description }) => description),
    debits.map(({ metadata }) => metadata && JSON.stringify(metadata)),
    ctx.now(),
  ])
}

const previewStatement = (prices: string) => `
  select coalesce(price.price <= account.balance - account.held, false) as taken, null as id,
    price.price, coalesce(price.is_premium_only and account.tier = 'free', false) as "needsTier",
    account.balance, account.balance - account.held as available
  from credit_accounts account
  left join (
    select credits_required::bigint * $3::int as price, is_premium_only
    from ${prices} feature_pricing where feature_key = $2 and is_active
  ) price on true
  where account.user_id = $1`

const statements = { on: statementsBy('on'), off: statementsBy('off') }

function statementsBy(creditsUntilChanged: 'on' | 'off') {
  const prices = pricesInForce(creditsUntilChanged)
  return {
    plainDebit: plainDebitText(prices),
    takeMany: takeManyStatement(prices),
    preview: previewStatement(prices),
  }
}

function statementsOf({ config }: Context) {
  return statements[config.credits]
}

/** Returns the outcome that a debit would have now. It takes and holds nothing. */
export async function previewDebit(
  ctx: Context,
  userId: string,
  { featureKey, quantity }: Pick<Debit, 'featureKey' | 'quantity'>,
): Promise<DebitOutcome | undefined> {
  const parameters = [userId, featureKey, quantity]
  const [outcome] = await runStatement<DebitOutcome>(ctx, statementsOf(ctx).preview, parameters)
  return outcome
}

/**
 * Refunds a debit, fully or partly, in one statement. A debit has at most one refund: a second attempt
 * returns null and changes nothing.
 */
export async function giveBack(
  ctx: Context,
  refund: { debitId: number; amount: number | null; description: string },
): Promise<{ id: number; amount: number; balance: number } | null> {
  const { rows } = await sql<{ id: number; amount: number; balance: number }>`
    with debit as (
      select id, user_id, feature_key, from_purchased,
        least(coalesce(${refund.amount}::int, -amount), -amount) as amount
      from credit_transactions
      where id = ${refund.debitId} and type = 'spend'
    ),
    account as materialized (
      select balance, purchased from credit_accounts
      where user_id = (select user_id from debit) for update
    ),
    written as (
      insert into credit_transactions (user_id, amount, type, description, feature_key,
        balance_after, refund_of, created_at)
      select debit.user_id, debit.amount, 'refund', ${refund.description}, debit.feature_key,
        account.balance + debit.amount, debit.id, ${ctx.now()}
      from debit cross join account
      where debit.amount > 0
      on conflict (refund_of) do nothing
      returning id, user_id, amount, balance_after
    ),
    moved as (
      update credit_accounts
      set balance = written.balance_after,
        purchased = account.purchased + least(debit.from_purchased, debit.amount)
      from written cross join account cross join debit
      where credit_accounts.user_id = written.user_id
    )
    select id, amount, balance_after as balance from written`.execute(ctx.db)
  return rows[0] ?? null
}

/** Returns the refund of a debit, made by the service or by an administrator. */
export function findRefund(ctx: Context, debitId: number) {
  return ctx.db
    .selectFrom('credit_transactions')
    .select(['id', 'created_at as at'])
    .where('refund_of', '=', debitId)
    .executeTakeFirst()
}

/**
 * Locks the account until the transaction ends and returns its balance, or null if the account does not
 * exist. It locks the user first, in the same order as a deletion, to prevent a deadlock.
 */
export async function lockAccount(ctx: Context, userId: string): Promise<number | null> {
  await sql`select from users where id = ${userId} for key share`.execute(ctx.db)
  const account = await ctx.db
    .selectFrom('credit_accounts')
    .select('balance')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return account?.balance ?? null
}

/** Adds credits in one statement and returns the balance. Returns null when the account does not exist. */
export async function addCredits(
  ctx: Context,
  credit: {
    userId: string
    amount: number
    type: 'grant' | 'bonus' | 'referral' | 'purchase'
    description: string
    metadata?: Record<string, unknown>
    /** The part that counts as purchased. */
    purchased?: number
  },
): Promise<number | null> {
  const { rows } = await sql<{ balance: number }>`
    with account as (
      update credit_accounts
      set balance = balance + ${credit.amount}::int,
        purchased = purchased + ${credit.purchased ?? 0}::int
      where user_id = ${credit.userId}
      returning balance
    )
    insert into credit_transactions (user_id, amount, type, description, metadata, balance_after,
      created_at)
    select ${credit.userId}, ${credit.amount}::int, ${credit.type}, ${credit.description},
      ${credit.metadata ? JSON.stringify(credit.metadata) : null}::jsonb, account.balance,
      ${ctx.now()}
    from account
    returning balance_after as balance`.execute(ctx.db)
  return rows[0]?.balance ?? null
}
