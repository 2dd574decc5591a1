/** Credits: balances, transactions, prices (contract 1.5, 4.7). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { failure } from './failure.ts'
import { problems } from './problems.ts'
import { tiers } from './tiers.ts'
import { pathId, spokenMessage, timestamp } from './values.ts'

export const creditProblems = {
  creditsOff: failure(403, { error: 'Forbidden', code: 'CREDITS_OFF' }, { message: z.string() }),
}

const tierName = z.string().trim().min(1).max(40)

/** The names of the tiers that people see. The API uses the ids. */
export const tierNames = z.object({
  free: tierName,
  joi_curious: tierName,
  full_access: tierName,
  vip: tierName,
})

const transactionTypes = ['purchase', 'spend', 'referral', 'bonus', 'refund', 'grant'] as const

export const creditSummary = z.object({
  balance: z.int(),
  tier: z.enum(tiers),
  nextAllocationDate: timestamp,
  isLowBalance: z.boolean(),
})

const transaction = z
  .object({
    id: z.int(),
    userId: z.string(),
    amount: z.int(),
    type: z.enum(transactionTypes),
    description: z.string(),
    featureKey: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    balanceAfter: z.int(),
    createdAt: timestamp,
  })
  .meta({ id: 'CreditTransaction' })

const featureKey = z.string().regex(/^[a-z][a-z0-9_]{0,99}$/)

const priceFields = {
  displayName: z.string().trim().min(1).max(100),
  creditsRequired: z.int().min(0).max(1_000_000),
  isPremiumOnly: z.boolean(),
  description: z.string().max(500),
}

const price = z.object({ featureKey: z.string(), ...priceFields }).meta({ id: 'Price' })

const adminPrice = price.extend({ isActive: z.boolean() })

/** A whole number in a query: digits only, so '1e3', '-1' and ' 1' are refused. */
const digits = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform(Number)
    .refine((value) => value <= max, { error: `must be at most ${max}` })

const transactionQuery = z.object({
  page: digits(10_000_000).default(1),
  limit: digits(100).default(50),
  type: z.enum(transactionTypes).optional(),
})

const transactionPage = z.object({
  transactions: z.array(transaction),
  pagination: z.object({ page: z.int(), limit: z.int(), total: z.int(), pages: z.int() }),
})

const accountPath = z.object({ id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/) })

export const credits = {
  balance: endpoint({
    method: 'GET',
    path: '/api/credits/balance',
    summary: 'Balance and tier.',
    who: 'user',
    answer: json(200, creditSummary),
    failures: [],
  }),
  account: endpoint({
    method: 'GET',
    path: '/api/user/credits',
    summary: 'Balance and tier, with all credits ever spent and earned.',
    who: 'user',
    answer: json(200, creditSummary.extend({ lifetimeSpent: z.int(), lifetimeEarned: z.int() })),
    failures: [],
  }),
  transactions: endpoint({
    method: 'GET',
    path: '/api/credits/transactions',
    summary: 'Transactions of the account, newest first.',
    who: 'user',
    query: transactionQuery,
    answer: json(200, transactionPage),
    failures: [],
  }),
  stats: endpoint({
    method: 'GET',
    path: '/api/credits/stats',
    summary: 'Credits spent by feature. Refunded work is not counted.',
    who: 'user',
    answer: json(
      200,
      z.object({
        totalSpent: z.int(),
        mostUsedFeatures: z.array(
          z.object({ feature: z.string(), count: z.int(), totalCredits: z.int() }),
        ),
      }),
    ),
    failures: [],
  }),
  spending: endpoint({
    method: 'GET',
    path: '/api/credits/spending',
    summary: 'Credits spent in the last days by UTC day and feature, minus refunds.',
    who: 'user',
    query: z.object({ days: digits(90).default(30) }),
    answer: json(
      200,
      z.object({
        /** The first and the last day, both included. */
        from: z.iso.date(),
        to: z.iso.date(),
        spent: z.array(z.object({ day: z.iso.date(), feature: z.string(), credits: z.int() })),
      }),
    ),
    failures: [],
  }),
  pricing: endpoint({
    method: 'GET',
    path: '/api/credits/pricing',
    summary: 'The price list.',
    who: 'anyone',
    answer: json(200, z.array(price)),
    failures: [],
  }),
  bonusStatus: endpoint({
    method: 'GET',
    path: '/api/user/daily-bonus/status',
    summary: 'Whether today’s bonus can be claimed.',
    who: 'user',
    answer: json(
      200,
      z.object({
        available: z.boolean(),
        amount: z.int(),
        nextClaimAt: timestamp,
        streak: z.int(),
      }),
    ),
    failures: [],
  }),
  claimBonus: endpoint({
    method: 'POST',
    path: '/api/user/daily-bonus/claim',
    summary: 'Claim the bonus, once a UTC day.',
    who: 'user',
    answer: json(
      200,
      z.object({
        claimed: z.literal(true),
        amount: z.int(),
        balance: z.int(),
        nextClaimAt: timestamp,
      }),
    ),
    failures: [problems.alreadyExists, problems.forbidden, creditProblems.creditsOff],
  }),
  listPrices: endpoint({
    method: 'GET',
    path: '/api/admin/pricing',
    summary: 'All prices, including disabled ones.',
    who: 'admin',
    answer: json(200, z.object({ items: z.array(adminPrice), nextCursor: z.null() })),
    failures: [],
  }),
  createPrice: endpoint({
    method: 'POST',
    path: '/api/admin/pricing',
    summary: 'Give a feature a price.',
    who: 'admin',
    body: z.object({
      featureKey,
      displayName: priceFields.displayName,
      creditsRequired: priceFields.creditsRequired,
      isPremiumOnly: z.boolean().default(false),
      description: priceFields.description.default(''),
      isActive: z.boolean().default(true),
    }),
    answer: json(201, adminPrice),
    failures: [problems.alreadyExists],
  }),
  changePrice: endpoint({
    method: 'PATCH',
    path: '/api/admin/pricing/:featureKey',
    summary: 'Change a price. It takes effect at once on every node.',
    who: 'admin',
    params: z.object({ featureKey }),
    body: z.object({ ...priceFields, isActive: z.boolean() }).partial(),
    answer: json(200, adminPrice),
    failures: [problems.notFound],
  }),
  disablePrice: endpoint({
    method: 'DELETE',
    path: '/api/admin/pricing/:featureKey',
    summary: 'Disable a price. Its feature is then unavailable.',
    who: 'admin',
    params: z.object({ featureKey }),
    answer: json(200, spokenMessage),
    failures: [problems.notFound],
  }),
  grant: endpoint({
    method: 'POST',
    path: '/api/admin/users/:id/grant',
    summary: 'Grant credits to an account.',
    who: 'admin',
    params: accountPath,
    body: z.object({
      amount: z.int().min(1).max(1_000_000),
      reason: z.string().trim().min(1).max(500),
    }),
    answer: json(200, z.object({ balance: z.int() })),
    failures: [problems.notFound],
  }),
  refund: endpoint({
    method: 'POST',
    path: '/api/admin/transactions/:id/refund',
    summary: 'Refund a debit, once, and never to one’s own account.',
    who: 'admin',
    params: z.object({ id: pathId }),
    body: z.object({ reason: z.string().trim().min(1).max(200) }),
    answer: json(200, z.object({ balance: z.int() })),
    failures: [problems.notFound, problems.forbidden, problems.alreadyExists],
  }),
  accountTransactions: endpoint({
    method: 'GET',
    path: '/api/admin/users/:id/transactions',
    summary: 'Transactions of an account, newest first. Each read is logged.',
    who: 'admin',
    params: accountPath,
    query: transactionQuery,
    answer: json(200, transactionPage),
    failures: [problems.notFound],
  }),
}
