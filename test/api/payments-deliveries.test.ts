/**
 * Notices of the gateway that arrive repeatedly or out of order: each payment is credited once. With ten
 * times the load, and with nodes that are killed: `npm run faults payments`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import { seededRandom } from '../support/fault.ts'
import type { PlannedPayment } from '../support/payment-deliveries.ts'
import {
  auditPayments,
  chooseLife,
  deliverAll,
  planDeliveries,
} from '../support/payment-deliveries.ts'
import type { PaymentWorld } from '../support/payment-world.ts'
import { createPaymentWorld } from '../support/payment-world.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import type { Person } from '../support/world.ts'

// Races appear on PostgreSQL; the embedded engine must give the same results.
const size =
  engine === 'postgres'
    ? { payments: 50, deliveries: 1000, accounts: 4 }
    : { payments: 15, deliveries: 300, accounts: 2 }

const seed = process.env['FAULT_SEED'] ?? 'payments'
const random = seededRandom(seed)

let world: PaymentWorld
/** A second node on PostgreSQL: the same database, with turns of its own. */
let otherNode: PaymentWorld | null = null

beforeAll(async () => {
  if (engine === 'embedded') {
    world = await createPaymentWorld()
    return
  }
  const url = await copyTemplate()
  world = await createPaymentWorld({}, { database: await connectToServer(url) })
  otherNode = await createPaymentWorld({}, { database: await connectToServer(url) })
})
afterAll(async () => {
  await otherNode?.close()
  await world.close()
})

test(`${size.deliveries} deliveries for ${size.payments} payments credit each once, and no forged one`, async () => {
  const people: Person[] = []
  for (let index = 0; index < size.accounts; index += 1) {
    const person = await world.as(`p${index}`)
    await world.setTier(person, 'joi_curious')
    people.push(person)
  }
  const payments: PlannedPayment[] = []
  for (let index = 0; index < size.payments; index += 1)
    payments.push(await beginPayment(people[index % people.length]!))
  const deliveries = planDeliveries(random, world.gateway, payments, size.deliveries)
  const urls = [world.url, ...(otherNode ? [otherNode.url] : [])]
  const answers = await deliverAll(() => urls, deliveries, 24)

  expect([...answers.genuine.keys()]).toEqual([200])
  expect(new Set(answers.bad.keys())).toEqual(new Set([400, 401]))
  expect(answers.resent).toBe(0)
  const read = async <Row>(statement: string) => [...(await world.ctx.query<Row>(statement, []))]
  expect(await auditPayments(read, payments)).toEqual([])
  console.info(
    `seed ${seed}: ${deliveries.length} deliveries, ${answers.genuine.get(200)} taken, ${JSON.stringify(Object.fromEntries(answers.bad))} refused`,
  )
})

async function beginPayment(person: Person): Promise<PlannedPayment> {
  const body = { packageId: 'starter', method: 'crypto' } as const
  const { paymentId } = await person.payments.create({ body })
  return { paymentId, invoice: world.gateway.invoices.at(-1)!, life: chooseLife(random) }
}
