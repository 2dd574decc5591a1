/** The NOWPayments gateway: creates an invoice with a payment page, and verifies signed callbacks. */
import { z } from 'zod'
import type { Gateway } from '../payment-method.ts'
import { ProviderUnavailable } from '../payment-method.ts'
import type { Fetch } from './ask-provider.ts'
import { postJson } from './ask-provider.ts'
import { isSignedByGateway } from './ipn-signature.ts'

export type NowpaymentsSettings = {
  readonly apiKey: string
  readonly ipnSecret: string
  readonly url: string | undefined
}

const publicUrl = 'https://api.nowpayments.io'
const timeoutMs = 15_000

// The id is a text in the documentation's example, and a number in real answers.
const invoice = z.object({
  id: z.union([z.string().min(1), z.int()]).transform(String),
  invoice_url: z.url({ protocol: /^https?$/ }),
})

export function createNowpayments(
  settings: NowpaymentsSettings,
  { fetch, baseUrl }: { fetch: Fetch; baseUrl: string },
): Gateway {
  const apiUrl = settings.url ?? publicUrl
  return {
    async begin({ reference, title, description, priceCents }) {
      const { status, json } = await postJson(fetch, 'NOWPayments', {
        url: `${apiUrl}/v1/invoice`,
        headers: { 'x-api-key': settings.apiKey },
        timeoutMs,
        body: {
          price_amount: priceCents / 100,
          price_currency: 'usd',
          order_id: reference,
          order_description: `${title}: ${description}`,
          ipn_callback_url: `${baseUrl}/api/payments/callback/nowpayments`,
          success_url: `${baseUrl}/`,
          cancel_url: `${baseUrl}/`,
        },
      })
      const parsed = invoice.safeParse(json)
      if (status >= 300 || !parsed.success)
        throw new ProviderUnavailable(`NOWPayments returned no invoice (${status})`)
      return { invoiceId: parsed.data.id, checkoutUrl: parsed.data.invoice_url }
    },
    isGenuine: (body, signature) => isSignedByGateway(settings.ipnSecret, body, signature),
  }
}
