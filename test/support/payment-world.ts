/** A world with fake servers for the gateway and Telegram. */
import type { AnswerReceived } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import type { Log } from '../../src/server/platform/log.ts'
import { callEndpoint } from './endpoint-caller.ts'
import type { Invoice, Notice, NowpaymentsServer } from './nowpayments-server.ts'
import { startNowpayments } from './nowpayments-server.ts'
import type { StarsInvoice, TelegramServer } from './telegram-server.ts'
import { startTelegram } from './telegram-server.ts'
import type { Person, World } from './world.ts'
import { createWorld } from './world.ts'

export type PaymentWorld = World & {
  readonly gateway: NowpaymentsServer
  readonly telegram: TelegramServer
  readonly deliver: (notice: Notice, headers?: Record<string, string>) => Promise<AnswerReceived>
  readonly tell: (update: unknown, headers?: Record<string, string>) => Promise<AnswerReceived>
  /** Sets the tier of a user without an end date, as an administrator would. */
  readonly setTier: (person: Person, tier: 'free' | 'joi_curious' | 'vip') => Promise<void>
  readonly statusOf: (person: Person, paymentId: number) => Promise<string>
  readonly invoiceOf: (paymentId: number) => Promise<Invoice>
  readonly starsInvoiceOf: (paymentId: number) => Promise<StarsInvoice>
}

const callback = { name: 'payments.gatewayCallback', endpoint: api.payments.gatewayCallback }
const webhook = { name: 'payments.telegramWebhook', endpoint: api.payments.telegramWebhook }

export async function createPaymentWorld(
  settings: Record<string, string> = {},
  options: { database?: DatabaseHandle; log?: Log } = {},
): Promise<PaymentWorld> {
  const [gateway, telegram] = [await startNowpayments(), await startTelegram()]
  const world = await createWorld(
    { ...gateway.settings, ...telegram.settings, ...settings },
    options,
  )
  const referenceOf = async (paymentId: number) => {
    const { reference } = await world.ctx.db
      .selectFrom('payments')
      .select('reference')
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    return reference
  }
  return {
    ...world,
    gateway,
    telegram,
    deliver: ({ body, signature }, headers = {}) =>
      callEndpoint(world.visitor(), callback, {
        body,
        headers: { 'x-nowpayments-sig': signature, ...headers },
      }),
    tell: (update, headers = { 'x-telegram-bot-api-secret-token': telegram.webhookSecret }) =>
      callEndpoint(world.visitor(), webhook, {
        body: typeof update === 'string' ? update : JSON.stringify(update),
        headers,
      }),
    async setTier(person, tier) {
      const { id } = await person.accounts.currentUser()
      await world.ctx.db
        .updateTable('credit_accounts')
        .set({ tier, tier_until: null })
        .where('user_id', '=', id)
        .execute()
    },
    async statusOf(person, paymentId) {
      return (await person.payments.read({ params: { id: String(paymentId) } })).status
    },
    async invoiceOf(paymentId) {
      const reference = await referenceOf(paymentId)
      return gateway.invoices.find(({ orderId }) => orderId === reference)!
    },
    async starsInvoiceOf(paymentId) {
      const reference = await referenceOf(paymentId)
      return telegram.invoices.find(({ payload }) => payload === reference)!
    },
    async close() {
      await world.close()
      await gateway.close()
      await telegram.close()
    },
  }
}
