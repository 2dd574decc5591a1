/** Creates the configured payment methods. */
import type { Config } from '../../config/config.ts'
import type { Fetch } from './adapters/ask-provider.ts'
import { createNowpayments } from './adapters/nowpayments.ts'
import { createTelegram } from './adapters/telegram.ts'
import { createWeb3 } from './adapters/web3.ts'
import type { PaymentMethods } from './payment-method.ts'

export function createPayments(
  { payments, baseUrl }: Pick<Config, 'payments' | 'baseUrl'>,
  { fetch }: { fetch: Fetch },
): PaymentMethods {
  const { nowpayments, telegram, web3 } = payments
  return {
    crypto: nowpayments ? createNowpayments(nowpayments, { fetch, baseUrl }) : null,
    telegram_stars: telegram ? createTelegram(telegram, { fetch }) : null,
    web3: web3 ? createWeb3(web3, { fetch }) : null,
  }
}
