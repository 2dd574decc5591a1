/**
 * A gateway delivers ten thousand notices for five hundred payments: out of order, many twice, some
 * forged or stale. Meanwhile the nodes that receive them are killed.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client as PgClient } from 'pg'
import type { Client } from '../../src/client/client.ts'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { createCookieJar } from '../support/cookie-jar.ts'
import type { FaultRow, FaultTools, Random, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { Fleet } from '../support/ledger-fleet.ts'
import { startFleet } from '../support/ledger-fleet.ts'
import type { NowpaymentsServer } from '../support/nowpayments-server.ts'
import { startNowpayments } from '../support/nowpayments-server.ts'
import type { PlannedPayment } from '../support/payment-deliveries.ts'
import {
  auditPayments,
  chooseLife,
  deliverAll,
  planDeliveries,
} from '../support/payment-deliveries.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { unlimited } from '../support/service-process.ts'

const paymentCount = 500
const deliveryCount = 10_000
const accountCount = 20
const nodeCount = 2
const atOnce = 24
const startMs = 180_000

export const row: FaultRow = {
  budgetSeconds: 240,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/payments-deliveries.test.ts', 'test/api/payments-hostile.test.ts'],
  mutant: {
    file: 'src/server/features/payments/gateway-callback.ts',
    line: "if (!ctx.payments.crypto?.isGenuine(body, visitor.header('x-nowpayments-sig')))",
    becomes: 'if (!ctx.payments.crypto)',
  },
  checks: [
    {
      load: `${deliveryCount} notices for ${paymentCount} payments, many twice, some forged, nodes killed`,
      goal: 'each payment is credited once, and no forged one',
      run: runPayments,
    },
  ],
}

async function runPayments({ random, say, scaled }: FaultTools): Promise<Verdict> {
  const [server, gateway] = [await startPostgres(), await startNowpayments()]
  await server.administer('create database payments')
  const fleet = startFleet(nodeCount, {
    ...unlimited,
    ...gateway.settings,
    DATABASE_URL: server.urlOf('payments'),
    SESSION_SECRET: 'the same secret on every node of this test',
    LOG_LEVEL: 'error',
  })
  const database = new PgClient({ connectionString: server.urlOf('payments') })
  try {
    assert.ok(await fleet.allReady(startMs), `the nodes did not start:\n${fleet.lastFailure}`)
    await database.connect()
    const payments = await beginPayments(fleet, gateway, database, random, scaled(paymentCount))
    const deliveries = planDeliveries(random, gateway, payments, scaled(deliveryCount), 'guess')
    const ended = new AbortController()
    const killing = killNow(fleet, random, ended.signal)
    const answers = await deliverAll(() => fleet.urls(), deliveries, atOnce)
    ended.abort()
    await killing
    const read = async <Row>(statement: string) => (await database.query(statement)).rows as Row[]
    const violations = [...fleet.complaints, ...(await auditPayments(read, payments))]
    if (![...answers.genuine.keys()].every((status) => status === 200))
      violations.push(`genuine ones were answered ${JSON.stringify([...answers.genuine])}`)
    if (answers.bad.has(200) || answers.bad.has(0)) violations.push('a bad one was taken')
    say(
      `${deliveries.length} deliveries: ${answers.genuine.get(200)} taken, ${JSON.stringify(Object.fromEntries(answers.bad))} refused, ${answers.resent} sent again; ${fleet.figures.kills} kills of a node`,
    )
    say(`${payments.filter(({ life }) => life === 'paid').length} of ${payments.length} paid`)
    for (const violation of violations.slice(0, 20)) say(violation)
    return verdict(
      `${deliveries.length} notices, ${fleet.figures.kills} kills, ${violations.length} violations`,
      {
        'the credits are not those of the payments': violations.length === 0,
        'nothing was killed': fleet.figures.kills > 0,
      },
    )
  } finally {
    await database.end().catch(() => {})
    await fleet.stop()
    await gateway.close()
    await server.stop()
  }
}

async function killNow(fleet: Fleet, random: Random, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await sleep(random.between(500, 2500), undefined, { signal: ended }).catch(() => {})
    // One node stays to take the notices. With none, all of them would only wait.
    if (!ended.aborted && fleet.urls().length === nodeCount) await fleet.killOne(random)
  }
}

async function beginPayments(
  fleet: Fleet,
  gateway: NowpaymentsServer,
  database: PgClient,
  random: Random,
  count: number,
): Promise<PlannedPayment[]> {
  const [url = ''] = fleet.urls()
  const people: Client[] = []
  for (let index = 0; index < accountCount; index += 1) {
    const person = personAt(url)
    const email = `buyer-${index}@example.test`
    await person.accounts.register({ body: { email, password: 'a long enough password' } })
    people.push(person)
  }
  await database.query(`update credit_accounts set tier = 'joi_curious'`)
  const payments: PlannedPayment[] = []
  for (let index = 0; index < count; index += 1) {
    const body = { packageId: 'starter', method: 'crypto' } as const
    const { paymentId } = await people[index % people.length]!.payments.create({ body })
    payments.push({ paymentId, invoice: gateway.invoices.at(-1)!, life: chooseLife(random) })
  }
  return payments
}

function personAt(baseUrl: string): Client {
  const jar = createCookieJar()
  return createClient(api, {
    baseUrl,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      if (jar.header() !== '') headers.set('cookie', jar.header())
      const answer = await fetch(input, { ...init, headers })
      jar.keep(answer.headers.getSetCookie())
      return answer
    },
  })
}
