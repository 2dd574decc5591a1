/** Payments: offers, methods, and the state of a payment (contract 4.9, 9). */
import { z } from 'zod'
import { creditProblems } from './credits.ts'
import { endpoint, json } from './endpoint.ts'
import { failure, sentence } from './failure.ts'
import { problems } from './problems.ts'
import { tiers } from './tiers.ts'
import { pageLimit, pathId, spokenMessage, timestamp } from './values.ts'

export const paymentMethods = ['crypto', 'telegram_stars', 'web3'] as const

const paidTiers = ['joi_curious', 'full_access', 'vip'] as const

const paymentStatuses = [
  'pending',
  'confirming',
  'completed',
  'expired',
  'failed',
  'underpaid',
] as const

export const paymentProblems = {
  purchaseNotAllowed: failure(
    403,
    { error: 'Forbidden', code: 'PURCHASE_NOT_ALLOWED' },
    { message: z.string() },
  ),
  paymentMethodUnavailable: failure(
    503,
    { error: 'Service Unavailable', code: 'PAYMENT_METHOD_UNAVAILABLE' },
    { message: z.string() },
  ),
  transactionRefused: failure(
    400,
    { error: 'Validation Error', code: 'INVALID_INPUT' },
    { message: z.string() },
  ),
  invalidSignature: sentence(401, 'Invalid signature'),
}

const creditPackage = z.object({
  id: z.string(),
  name: z.string(),
  credits: z.int(),
  priceUsd: z.number(),
})

const tierOffer = z.object({
  id: z.enum(tiers),
  name: z.string(),
  creditsPerMonth: z.int(),
  priceUsd: z.number(),
  canBuyExtra: z.boolean(),
})

/**
 * The transfer that a payment waits for. `amount` is in the token's base units and unique to this payment.
 */
const transfer = z.object({
  chainId: z.int(),
  token: z.string(),
  recipient: z.string(),
  amount: z.string(),
  /** The number of decimals in the amount. */
  decimals: z.int(),
  reference: z.string(),
})

const payment = z
  .object({
    paymentId: z.int(),
    status: z.enum(paymentStatuses),
    method: z.enum(paymentMethods),
    packageId: z.string().nullable(),
    tier: z.enum(paidTiers).nullable(),
    credits: z.int(),
    priceUsd: z.number(),
    createdAt: timestamp,
    expiresAt: timestamp,
    completedAt: timestamp.nullable(),
    refundedAt: timestamp.nullable(),
    checkoutUrl: z.string().optional(),
    invoiceLink: z.string().optional(),
    transfer: transfer.optional(),
    txHash: z.string().optional(),
  })
  .meta({ id: 'Payment' })

/** The body of a callback. Its sender is verified before its content is read. */
const signedBody = z.record(z.string(), z.unknown())

const ownPayment = { params: z.object({ id: pathId }) } as const

export const payments = {
  packages: endpoint({
    method: 'GET',
    path: '/api/payments/packages',
    summary: 'Packages and tiers for sale, the payment methods, and the caller’s tier.',
    who: 'user',
    answer: json(
      200,
      z.object({
        packages: z.array(creditPackage),
        tiers: z.array(tierOffer),
        methods: z.array(z.enum(paymentMethods)),
        current: z.object({ tier: z.enum(tiers), tierUntil: timestamp.nullable() }),
      }),
    ),
    failures: [],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/payments',
    summary: 'Start a payment for a package or a tier.',
    who: 'user',
    limit: { policy: 'payment' },
    body: z
      .object({
        packageId: z.string().max(100).optional(),
        tier: z.enum(paidTiers).optional(),
        method: z.enum(paymentMethods),
      })
      .refine(({ packageId, tier }) => (packageId === undefined) !== (tier === undefined), {
        error: 'must name either a packageId or a tier',
      }),
    answer: json(201, payment),
    failures: [
      problems.notFound,
      creditProblems.creditsOff,
      paymentProblems.purchaseNotAllowed,
      paymentProblems.paymentMethodUnavailable,
    ],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/payments',
    summary: 'The caller’s payments, newest first.',
    who: 'user',
    query: z.object({
      limit: pageLimit(100).default(50),
      cursor: pathId.optional(),
    }),
    answer: json(200, z.object({ items: z.array(payment), nextCursor: z.string().nullable() })),
    failures: [],
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/payments/:id',
    summary: 'One of the caller’s payments, and where to pay it.',
    who: 'user',
    ...ownPayment,
    answer: json(200, payment),
    failures: [problems.notFound],
  }),
  submitTransaction: endpoint({
    method: 'POST',
    path: '/api/payments/:id/transaction',
    summary: 'Name the transaction that pays. Without it, the transfer is found by its amount.',
    who: 'user',
    ...ownPayment,
    body: z.object({
      txHash: z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/)
        .toLowerCase(),
    }),
    answer: json(200, payment),
    failures: [problems.notFound, problems.alreadyExists, paymentProblems.transactionRefused],
  }),
  gatewayCallback: endpoint({
    method: 'POST',
    path: '/api/payments/callback/nowpayments',
    summary: 'Callback of the gateway with the state of a payment, signed in x-nowpayments-sig.',
    who: 'signature',
    limit: { policy: 'callback' },
    body: signedBody,
    answer: json(200, spokenMessage),
    failures: [paymentProblems.invalidSignature],
  }),
  telegramWebhook: endpoint({
    method: 'POST',
    path: '/api/webhooks/telegram',
    summary: 'Webhook for Telegram’s updates, with the secret in X-Telegram-Bot-Api-Secret-Token.',
    who: 'signature',
    limit: { policy: 'webhook' },
    body: signedBody,
    answer: json(200, spokenMessage),
    failures: [paymentProblems.invalidSignature, paymentProblems.paymentMethodUnavailable],
  }),
}
