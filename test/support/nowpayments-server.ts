/**
 * NOWPayments on 127.0.0.1, in the format of its API documentation
 * (https://documenter.getpostman.com/view/7907941/2s93JusNJt), whose sections are named at each part.
 */
import { createHmac } from 'node:crypto'
import type { Answer, Asked, ProviderServer } from './payment-providers.ts'
import { startProvider } from './payment-providers.ts'

export type Invoice = {
  readonly id: string
  readonly orderId: string
  readonly priceAmount: number
  readonly callbackUrl: string
}

export type Notice = { readonly body: string; readonly signature: string }

export type NowpaymentsServer = ProviderServer & {
  readonly settings: Record<string, string>
  readonly secrets: readonly string[]
  readonly invoices: Invoice[]
  /** Returns a callback as NOWPayments would send it. */
  notice(invoice: Invoice, change?: Record<string, unknown>): Notice
  sign(body: Record<string, unknown>, secret?: string): Notice
}

const apiKey = 'NP-API-KEY-4f6d2a'
const ipnSecret = 'np-ipn-secret-93b1c7'

export async function startNowpayments(): Promise<NowpaymentsServer> {
  const invoices: Invoice[] = []
  const provider = await startProvider((asked) => createInvoice(asked, invoices))
  return {
    ...provider,
    invoices,
    secrets: [apiKey, ipnSecret],
    settings: {
      NOWPAYMENTS_API_KEY: apiKey,
      NOWPAYMENTS_IPN_SECRET: ipnSecret,
      NOWPAYMENTS_URL: provider.url,
    },
    notice: (invoice, change = {}) => sign({ ...paymentNotice(invoice), ...change }),
    sign,
  }
}

/** "Create invoice": POST /v1/invoice with the key in x-api-key. */
function createInvoice({ path, headers, body }: Asked, invoices: Invoice[]): Answer {
  if (path !== '/v1/invoice') return { status: 404, body: { message: 'Not found' } }
  // "Authentication": 403 with INVALID_API_KEY.
  if (headers['x-api-key'] !== apiKey)
    return {
      status: 403,
      body: { statusCode: 403, code: 'INVALID_API_KEY', message: 'Invalid api key' },
    }
  // price_amount (required), price_currency (required); the others are optional.
  const { price_amount: price, price_currency: currency, order_id: orderId } = body
  if (typeof price !== 'number' || typeof currency !== 'string')
    return {
      status: 400,
      body: {
        statusCode: 400,
        code: 'INVALID_REQUEST_PARAMS',
        message: 'price_amount is required',
      },
    }
  const invoice: Invoice = {
    id: String(4_522_625_843 + invoices.length),
    orderId: String(orderId),
    priceAmount: price,
    callbackUrl: String(body['ipn_callback_url']),
  }
  invoices.push(invoice)
  const time = '2026-05-01T15:05:58.290Z'
  return {
    status: 200,
    body: {
      // The example response of "Create invoice": the id and the price are strings.
      id: invoice.id,
      token_id: '5335824394',
      order_id: orderId,
      order_description: body['order_description'],
      price_amount: String(price),
      price_currency: currency.toUpperCase(),
      pay_currency: null,
      ipn_callback_url: body['ipn_callback_url'],
      invoice_url: `https://nowpayments.io/payment/?iid=${invoice.id}`,
      success_url: body['success_url'],
      cancel_url: body['cancel_url'],
      created_at: time,
      updated_at: time,
    },
  }
}

let payments = 0

/** "Webhooks Examples", Payments: the same fields and types. */
function paymentNotice(invoice: Invoice): Record<string, unknown> {
  payments += 1
  return {
    payment_id: 5_745_459_419 + payments,
    parent_payment_id: null,
    invoice_id: Number(invoice.id),
    payment_status: 'finished',
    pay_address: '3EZ2uTdVDAMFXTfc6uLDDKR6o8qKBZXVkj',
    payin_extra_id: null,
    price_amount: invoice.priceAmount,
    price_currency: 'usd',
    pay_amount: 0.000_236_89,
    actually_paid: 0.000_236_89,
    actually_paid_at_fiat: 0,
    pay_currency: 'btc',
    order_id: invoice.orderId,
    order_description: 'Starter: 250 credits – “one”',
    purchase_id: '5837122679',
    outcome_amount: 14.810_6,
    outcome_currency: 'trx',
    payment_extra_ids: null,
    fee: { currency: 'btc', depositFee: 0.000_000_98, withdrawalFee: 0, serviceFee: 1e-7 },
  }
}

/**
 * "Instant Payments Notifications": the body with sorted keys at every depth, as JSON.stringify writes it,
 * signed with HMAC SHA-512, in hex, in the header x-nowpayments-sig.
 */
function sign(body: Record<string, unknown>, secret = ipnSecret): Notice {
  const sent = JSON.stringify(body)
  const signature = createHmac('sha512', secret)
    .update(inOrder(JSON.parse(sent)))
    .digest('hex')
  return { body: sent, signature }
}

/**
 * Serialises with sorted keys. Lists become objects with their indices as keys, as in the documentation's
 * example for Node.
 */
function inOrder(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = new Map(Object.entries(value))
  const texts = [...fields.keys()]
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${inOrder(fields.get(key))}`)
  return `{${texts.join(',')}}`
}
