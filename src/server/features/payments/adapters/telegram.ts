/** Telegram Stars: creates invoice links with a bot, and answers the queries of its webhook. */
import { z } from 'zod'
import { isSameText } from '../../../platform/signature.ts'
import type { StarsBot } from '../payment-method.ts'
import { ProviderUnavailable } from '../payment-method.ts'
import type { Fetch } from './ask-provider.ts'
import { postJson } from './ask-provider.ts'

export type TelegramSettings = {
  readonly botToken: string
  readonly webhookSecret: string
  readonly apiUrl: string | undefined
}

const publicUrl = 'https://api.telegram.org'

// Telegram waits ten seconds for our answer to a pre-checkout query. This timeout leaves time for the
// lookup before it.
const timeoutMs = 6_000

// The price of a star for buyers: 100 for 1.99 USD, 2500 for 49.99.
const starCents = 2

const starsFor = (priceCents: number) => Math.ceil(priceCents / starCents)

// "createInvoiceLink" allows titles of 1 to 32 characters, and an administrator may choose a longer tier
// name.
const titleLengthMax = 32

// The format of all answers of the Bot API ("Making requests"): `ok`, with `result` or `description`.
const answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
})

export function createTelegram(settings: TelegramSettings, { fetch }: { fetch: Fetch }): StarsBot {
  const botUrl = `${settings.apiUrl ?? publicUrl}/bot${settings.botToken}`

  async function call(method: string, body: object) {
    const url = `${botUrl}/${method}`
    const { status, json } = await postJson(fetch, 'Telegram', { url, body, timeoutMs })
    const parsed = answer.safeParse(json)
    if (!parsed.success) throw new ProviderUnavailable(`Telegram answered ${status} to ${method}`)
    // A retry of such a request would be refused too.
    const isFinal = status >= 400 && status < 500 && status !== 429
    return { ...parsed.data, isFinal }
  }

  return {
    isGenuine: (secret) => secret !== null && isSameText(secret, settings.webhookSecret),
    starsFor,
    async begin({ reference, title, description, priceCents }) {
      const made = await call('createInvoiceLink', {
        title: Array.from(title).slice(0, titleLengthMax).join(''),
        description,
        payload: reference,
        provider_token: '',
        currency: 'XTR',
        prices: [{ label: title, amount: starsFor(priceCents) }],
      })
      const link = z.url({ protocol: /^https?$/ }).safeParse(made.result)
      if (!made.ok || !link.success)
        throw new ProviderUnavailable('Telegram returned no invoice link')
      return { invoiceLink: link.data }
    },
    async answerPreCheckout(queryId, refusal) {
      const { ok, isFinal } = await call('answerPreCheckoutQuery', {
        pre_checkout_query_id: queryId,
        ok: refusal === null,
        ...(refusal !== null && { error_message: refusal }),
      })
      if (!ok && !isFinal)
        throw new ProviderUnavailable('Telegram did not accept the answer to a pre-checkout query')
    },
    async refund({ telegramUserId, chargeId }) {
      const { ok, description = '' } = await call('refundStarPayment', {
        user_id: telegramUserId,
        telegram_payment_charge_id: chargeId,
      })
      if (!ok && !description.includes('CHARGE_ALREADY_REFUNDED'))
        throw new ProviderUnavailable('Telegram did not refund a charge')
    },
  }
}
