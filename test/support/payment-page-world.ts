/** The pages with fake servers for the gateway and Telegram, which pay when a test says so. */
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import type { NowpaymentsServer } from './nowpayments-server.ts'
import { startNowpayments } from './nowpayments-server.ts'
import type { PageWorld } from './page-world.ts'
import { createPageWorld } from './page-world.ts'
import type { TelegramServer } from './telegram-server.ts'
import { startTelegram } from './telegram-server.ts'

export type PaymentPageWorld = PageWorld & {
  readonly gateway: NowpaymentsServer
  readonly telegram: TelegramServer
  /** Sends this status for the gateway's latest invoice: 'confirming', 'finished'. */
  readonly settle: (status: string) => Promise<void>
  /** Pays the latest invoice in Telegram. */
  readonly payStars: () => Promise<void>
}

export async function createPaymentPageWorld(
  settings: Record<string, string> = {},
): Promise<PaymentPageWorld> {
  const [gateway, telegram] = [await startNowpayments(), await startTelegram()]
  const world = await createPageWorld({ ...gateway.settings, ...telegram.settings, ...settings })

  async function send(path: string, body: string, headers: Record<string, string>): Promise<void> {
    const answer = await fetch(world.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    expect(answer.status).toBe(200)
  }

  return {
    ...world,
    gateway,
    telegram,
    async settle(status) {
      const invoice = await latest(gateway.invoices)
      const { body, signature } = gateway.notice(invoice, { payment_status: status })
      await send('/api/payments/callback/nowpayments', body, { 'x-nowpayments-sig': signature })
    },
    async payStars() {
      const invoice = await latest(telegram.invoices)
      const headers = { 'x-telegram-bot-api-secret-token': telegram.webhookSecret }
      for (const update of [telegram.preCheckout(invoice), telegram.successful(invoice)])
        await send('/api/webhooks/telegram', JSON.stringify(update), headers)
    },
    async close() {
      await world.close()
      await gateway.close()
      await telegram.close()
    },
  }
}

function latest<Made>(made: readonly Made[]): Promise<Made> {
  return eventually(() => {
    const last = made.at(-1)
    if (last === undefined) throw new Error('nothing was asked for yet')
    return last
  })
}
