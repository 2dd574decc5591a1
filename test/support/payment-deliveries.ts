/**
 * The callbacks of an unreliable gateway: many notices for many payments, some twice, in random order, with
 * forged and stale ones among them; and the expected final state of the payments.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from './fault.ts'
import type { Invoice, Notice, NowpaymentsServer } from './nowpayments-server.ts'

export type Life = 'paid' | 'refunded' | 'underpaid' | 'expired' | 'failed'

export type PlannedPayment = { readonly paymentId: number; readonly invoice: Invoice; life: Life }

export type Delivery = Notice & { readonly isGenuine: boolean }

/** The statuses that the gateway sends for each life, without repetitions. */
const livesOf: Readonly<Record<Life, readonly string[]>> = {
  paid: ['waiting', 'confirming', 'confirmed', 'sending', 'finished'],
  refunded: ['waiting', 'confirming', 'confirmed', 'sending', 'finished', 'refunded'],
  underpaid: ['waiting', 'confirming', 'partially_paid'],
  expired: ['waiting', 'expired'],
  failed: ['waiting', 'confirming', 'failed'],
}

export function chooseLife(random: Random): Life {
  const draw = random.fraction()
  if (draw < 0.7) return 'paid'
  if (draw < 0.8) return 'refunded'
  if (draw < 0.88) return 'underpaid'
  return draw < 0.95 ? 'expired' : 'failed'
}

export function planDeliveries(
  random: Random,
  gateway: NowpaymentsServer,
  payments: readonly PlannedPayment[],
  count: number,
  /** The secret of forgers. With the real secret a forgery would be a valid notice. */
  forgersSecret = 'guess',
): Delivery[] {
  const badCount = Math.round(count * 0.05)
  const repeatCount = Math.round(count * 0.3)
  const genuine = genuineNotices(random, gateway, payments, count - badCount - repeatCount)
  const repeats = Array.from({ length: repeatCount }, () => pick(random, genuine))
  const bad = Array.from({ length: badCount }, () =>
    badNotice(random, gateway, payments, { genuine, forgersSecret }),
  )
  return shuffle(random, [
    ...[...genuine, ...repeats].map((notice) => ({ ...notice, isGenuine: true })),
    ...bad.map((notice) => ({ ...notice, isGenuine: false })),
  ])
}

/** Returns all notices of every payment, then further notices up to `count`. */
function genuineNotices(
  random: Random,
  gateway: NowpaymentsServer,
  payments: readonly PlannedPayment[],
  count: number,
): Notice[] {
  const notices = payments.flatMap(({ paymentId, invoice, life }) =>
    livesOf[life].map((status) => noticeOf(gateway, invoice, status, { payment_id: paymentId })),
  )
  while (notices.length < count) {
    const { paymentId, invoice, life } = pick(random, payments)
    const outcome = { outcome_amount: random.fraction() }
    if (random.fraction() < 0.3) {
      // An abandoned attempt under the same invoice.
      const attempt = { payment_id: 900_000_000 + notices.length, ...outcome }
      notices.push(noticeOf(gateway, invoice, 'waiting', attempt))
    } else {
      const status = pick(random, livesOf[life])
      notices.push(noticeOf(gateway, invoice, status, { payment_id: paymentId, ...outcome }))
    }
  }
  return notices.slice(0, count)
}

function noticeOf(
  gateway: NowpaymentsServer,
  invoice: Invoice,
  status: string,
  change: Record<string, unknown>,
): Notice {
  const short = status === 'partially_paid' ? { actually_paid: 0.0001 } : {}
  return gateway.notice(invoice, { payment_status: status, ...short, ...change })
}

/** Returns a notice that must be refused: unsigned, altered, or signed over false data. */
function badNotice(
  random: Random,
  gateway: NowpaymentsServer,
  payments: readonly PlannedPayment[],
  { genuine, forgersSecret }: { genuine: readonly Notice[]; forgersSecret: string },
): Notice {
  const { invoice } = pick(random, payments)
  const finished = { payment_status: 'finished', payment_id: 800_000_000 + random.between(0, 1e6) }
  const wanted = gateway.notice(invoice, finished)
  switch (random.between(0, 5)) {
    case 0:
      return gateway.sign(JSON.parse(wanted.body) as Record<string, unknown>, forgersSecret)
    case 1:
      return { ...wanted, signature: pick(random, genuine).signature }
    case 2:
      return { ...wanted, signature: '' }
    case 3:
      // A genuine notice, altered after it was signed.
      return alter(gateway.notice(invoice, { ...finished, payment_status: 'waiting' }))
    case 4:
      return gateway.notice(invoice, { ...finished, price_amount: 0.01 })
    default:
      // Stale: of an earlier payment that no longer exists.
      return gateway.notice({ ...invoice, orderId: crypto.randomUUID() }, finished)
  }
}

function alter({ body, signature }: Notice): Notice {
  return { body: body.replace('"waiting"', '"finished"'), signature }
}

export type Tally = {
  /** The number of responses by status. */
  readonly genuine: Map<number, number>
  readonly bad: Map<number, number>
  /** The number of retries after a missing response or a failure of a node. */
  resent: number
}

/**
 * Sends the deliveries to the nodes that are up, `atOnce` at a time, and retries each until there is a
 * response.
 */
export async function deliverAll(
  urls: () => readonly string[],
  deliveries: readonly Delivery[],
  atOnce: number,
): Promise<Tally> {
  const tally: Tally = { genuine: new Map(), bad: new Map(), resent: 0 }
  let next = 0
  const sendSome = async () => {
    for (let at = next++; at < deliveries.length; at = next++) {
      const delivery = deliveries[at]!
      let status = await deliver(urls(), at, delivery)
      for (let attempt = 1; status === null && attempt < maxAttempts; attempt += 1) {
        tally.resent += 1
        await sleep(100)
        status = await deliver(urls(), at + attempt, delivery)
      }
      const statuses = delivery.isGenuine ? tally.genuine : tally.bad
      statuses.set(status ?? 0, (statuses.get(status ?? 0) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendSome))
  return tally
}

const maxAttempts = 600

/** Returns null without a definite response. */
async function deliver(
  urls: readonly string[],
  at: number,
  { body, signature }: Delivery,
): Promise<number | null> {
  const url = urls[at % Math.max(1, urls.length)]
  if (url === undefined) return null
  const headers = { 'content-type': 'application/json', 'x-nowpayments-sig': signature }
  try {
    const answer = await fetch(`${url}/api/payments/callback/nowpayments`, {
      method: 'POST',
      body,
      headers,
    })
    await answer.arrayBuffer()
    return answer.status >= 500 ? null : answer.status
  } catch {
    return null
  }
}

/** Returns the errors in the final state of the payments; empty if there are none. */
export async function auditPayments(
  read: <Row>(statement: string) => Promise<Row[]>,
  payments: readonly PlannedPayment[],
): Promise<string[]> {
  const found = new Map(
    (await read<{ id: number; status: string; count: number }>(purchasesStatement)).map((row) => [
      row.id,
      row,
    ]),
  )
  const wrong = payments.flatMap(({ paymentId, life }) => {
    const { status, count } = found.get(paymentId) ?? { status: 'gone', count: 0 }
    const isRight = status === expectedStatus[life] && expectedPurchases[life].includes(count)
    return isRight ? [] : [`payment ${paymentId} was ${life}: ${status}, credited ${count} times`]
  })
  const unbalanced = await read<{ id: string }>(unbalancedStatement)
  const credited = payments.filter(({ life }) => life === 'paid').length
  const [sum] = await read<{ bought: number }>(boughtStatement)
  if (sum?.bought !== credited * starterCredits)
    wrong.push(`${sum?.bought} credits were bought by ${credited} payments of ${starterCredits}`)
  return [...wrong, ...unbalanced.map(({ id }) => `the ledger of ${id} does not add up`)]
}

const starterCredits = 250

const expectedStatus: Readonly<Record<Life, string>> = {
  paid: 'completed',
  refunded: 'failed',
  underpaid: 'underpaid',
  expired: 'expired',
  failed: 'failed',
}

/** The notice of a refund can arrive before the notice of the payment: then there was no purchase. */
const expectedPurchases: Readonly<Record<Life, readonly number[]>> = {
  paid: [1],
  refunded: [0, 1],
  underpaid: [0],
  expired: [0],
  failed: [0],
}

const purchasesStatement = `
  select payments.id, payments.status, count(purchase.id)::int as count
  from payments left join credit_transactions purchase
    on purchase.type = 'purchase' and (purchase.metadata ->> 'paymentId')::int = payments.id
  group by payments.id`

const unbalancedStatement = `
  select account.user_id as id
  from credit_accounts account
  left join credit_transactions entry on entry.user_id = account.user_id
  group by account.user_id, account.balance
  having account.balance <> coalesce(sum(entry.amount), 0)`

/** The total of purchases minus refunds. */
const boughtStatement = `
  select coalesce(sum(amount), 0)::int as bought from credit_transactions
  where metadata ? 'paymentId'`

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.between(0, items.length - 1)]!
}

function shuffle<T>(random: Random, items: T[]): T[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = random.between(0, at)
    ;[items[at], items[other]] = [items[other]!, items[at]!]
  }
  return items
}
