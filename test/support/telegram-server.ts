/**
 * Telegram's Bot API on 127.0.0.1, in the format of https://core.telegram.org/bots/api, whose sections are
 * named at each part.
 */
import type { Answer, Asked, ProviderServer } from './payment-providers.ts'
import { startProvider } from './payment-providers.ts'

export type StarsInvoice = {
  readonly payload: string
  readonly amount: number
  readonly link: string
}

export type TelegramServer = ProviderServer & {
  readonly settings: Record<string, string>
  readonly secrets: readonly string[]
  readonly webhookSecret: string
  readonly invoices: StarsInvoice[]
  readonly preCheckouts: Record<string, unknown>[]
  /** Refunded charges. */
  readonly refunded: string[]
  preCheckout(invoice: StarsInvoice, change?: Record<string, unknown>): Record<string, unknown>
  successful(invoice: StarsInvoice, change?: Record<string, unknown>): Record<string, unknown>
  refundNotice(invoice: StarsInvoice, chargeId: string): Record<string, unknown>
}

const botToken = '7342037359:AAHI25ES9xCOMPokpYoz-p8XVrZUdygo2J4'
const webhookSecret = 'tg-webhook-secret_51e9'

// User: the fields that every user has.
const buyer = { id: 5_932_840_117, is_bot: false, first_name: 'Ana', language_code: 'en' }

export async function startTelegram(): Promise<TelegramServer> {
  const invoices: StarsInvoice[] = []
  const preCheckouts: Record<string, unknown>[] = []
  const refunded: string[] = []
  const provider = await startProvider((asked) =>
    answer(asked, { invoices, preCheckouts, refunded }),
  )
  return {
    ...provider,
    invoices,
    preCheckouts,
    refunded,
    webhookSecret,
    secrets: [botToken, webhookSecret],
    settings: {
      TELEGRAM_BOT_TOKEN: botToken,
      TELEGRAM_WEBHOOK_SECRET: webhookSecret,
      TELEGRAM_API_URL: provider.url,
    },
    preCheckout: (invoice, change = {}) => update({ pre_checkout_query: query(invoice, change) }),
    successful: (invoice, change = {}) =>
      update({ message: message({ successful_payment: payment(invoice, change) }) }),
    // RefundedPayment: currency, total_amount, invoice_payload and the charge's id.
    refundNotice: (invoice, chargeId) =>
      update({
        message: message({
          refunded_payment: {
            currency: 'XTR',
            total_amount: invoice.amount,
            invoice_payload: invoice.payload,
            telegram_payment_charge_id: chargeId,
          },
        }),
      }),
  }
}

type Diary = Pick<TelegramServer, 'invoices' | 'preCheckouts' | 'refunded'>

/** "Making requests": /bot<token>/METHOD, and an answer with `ok` and `result` or `description`. */
function answer({ path, body }: Asked, diary: Diary): Answer {
  const [, bot, method] = path.split('/')
  if (bot !== `bot${botToken}`) return refusal(401, 'Unauthorized')
  switch (method) {
    case 'createInvoiceLink':
      return createInvoiceLink(body, diary)
    case 'answerPreCheckoutQuery':
      // answerPreCheckoutQuery: error_message is required where ok is false. True on success.
      if (body['ok'] === false && !body['error_message'])
        return refusal(400, 'Bad Request: error message must be non-empty')
      diary.preCheckouts.push(body)
      return { status: 200, body: { ok: true, result: true } }
    case 'refundStarPayment':
      return refundStarPayment(body, diary)
    default:
      return refusal(404, 'Not Found')
  }
}

/** createInvoiceLink: the limits of its parameters; the link as a text on success. */
function createInvoiceLink(body: Record<string, unknown>, { invoices }: Diary): Answer {
  const {
    title = '',
    description = '',
    payload = '',
    currency,
    prices,
    provider_token: token,
  } = body
  const price = Array.isArray(prices) && prices.length === 1 ? (prices[0] as LabeledPrice) : null
  // title 1-32 characters, description 1-255, payload 1-128 bytes.
  if (!within(title, 32) || !within(description, 255) || !within(payload, 128))
    return refusal(400, 'Bad Request: INVOICE_TEXT_INVALID')
  // "Pass “XTR” for payments in Telegram Stars", an empty provider_token, exactly one price.
  if (currency !== 'XTR' || token !== '' || !price || !Number.isInteger(price.amount))
    return refusal(400, 'Bad Request: STARS_INVOICE_INVALID')
  const link = `https://t.me/$${Buffer.from(String(payload)).toString('base64url').slice(0, 20)}`
  invoices.push({ payload: String(payload), amount: price.amount, link })
  return { status: 200, body: { ok: true, result: link } }
}

// LabeledPrice: label and amount, in whole stars for XTR.
type LabeledPrice = { label: string; amount: number }

/** refundStarPayment: user_id and telegram_payment_charge_id; a second time is CHARGE_ALREADY_REFUNDED. */
function refundStarPayment(body: Record<string, unknown>, { refunded }: Diary): Answer {
  const chargeId = String(body['telegram_payment_charge_id'])
  if (body['user_id'] !== buyer.id) return refusal(400, 'Bad Request: USER_ID_INVALID')
  if (refunded.includes(chargeId)) return refusal(400, 'Bad Request: CHARGE_ALREADY_REFUNDED')
  refunded.push(chargeId)
  return { status: 200, body: { ok: true, result: true } }
}

function refusal(status: number, description: string): Answer {
  return { status, body: { ok: false, error_code: status, description } }
}

function within(value: unknown, max: number): boolean {
  return typeof value === 'string' && value.length >= 1 && Buffer.byteLength(value) <= max
}

let updates = 904_213_000

/** Update: an id that grows, and one of the optional fields. */
function update(content: Record<string, unknown>): Record<string, unknown> {
  updates += 1
  return { update_id: updates, ...content }
}

/** Message: a service message of a private chat. */
function message(content: Record<string, unknown>): Record<string, unknown> {
  const chat = { id: buyer.id, first_name: buyer.first_name, type: 'private' }
  return { message_id: updates % 10_000, from: buyer, chat, date: 1_777_000_000, ...content }
}

/** PreCheckoutQuery: id, from, currency, total_amount and invoice_payload. */
function query(invoice: StarsInvoice, change: Record<string, unknown>): Record<string, unknown> {
  return {
    id: `2548${updates}`,
    from: buyer,
    currency: 'XTR',
    total_amount: invoice.amount,
    invoice_payload: invoice.payload,
    ...change,
  }
}

/** SuccessfulPayment: as above, with the charge's id at Telegram and at the provider. */
function payment(invoice: StarsInvoice, change: Record<string, unknown>): Record<string, unknown> {
  return {
    currency: 'XTR',
    total_amount: invoice.amount,
    invoice_payload: invoice.payload,
    telegram_payment_charge_id: `stxCharge${updates}`,
    provider_payment_charge_id: '',
    ...change,
  }
}
