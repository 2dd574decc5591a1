/** A clock that jumps forward and back under a running node and its database. */
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { parseConfig } from '../../src/server/config/config.ts'
import type { Context } from '../../src/server/context.ts'
import { runJob } from '../../src/server/jobs/job.ts'
import { startNode } from '../../src/server/node.ts'
import { jobs } from '../../src/server/wiring.ts'
import { faultEngines } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { Caller } from '../support/outage-stage.ts'
import { registerCaller, signInCaller } from '../support/outage-stage.ts'
import { takeClock } from '../support/shifted-clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const monthMs = 32 * dayMs
/** The offsets of the clock, applied one after the other. */
const smallShiftsMs = [0, dayMs, 0, -dayMs, 0, -2 * hourMs, 0]
const monthShiftsMs = [monthMs, 0, monthMs, monthMs - 2 * hourMs, monthMs + dayMs, 0]
const people = 5
const crowd = 8

export const row: FaultRow = {
  budgetSeconds: 180,
  runs: 'in the table',
  machine: 'waiting',
  shortTests: ['test/api/allocation.test.ts', 'test/api/credits.test.ts'],
  mutant: {
    file: 'src/server/features/credits/monthly/allocation-queries.ts',
    line: 'from before, fresh',
    becomes: 'from before, (select ${userId}::text as user_id) as fresh',
  },
  checks: [
    {
      load: `jumps of a live clock, the database’s too: ±1 day, −2 h, a month ahead and back, ${people} accounts`,
      goal: 'no second allocation or bonus, nobody signed out, each key charged once',
      inSmoke: true,
      run: jump,
    },
  ],
}

async function jump(tools: FaultTools): Promise<Verdict> {
  const shift = takeClock()
  const engine = await faultEngines.embedded()
  tools.afterwards(() => engine.close())
  const home = await engine.newHome()
  const config = parseConfig({
    ...home.settings,
    NODE_ENV: 'test',
    PORT: '0',
    CAPTIONS: 'demo',
    FEED: 'off',
    LOG_LEVEL: 'error',
  })
  const node = await startNode(config, { webFolder: null, worksOnJobs: false })
  tools.afterwards(() => node.stop())
  const callers: Caller[] = []
  const names = Array.from({ length: people }, (_, n) => `p${n}`)
  for (const name of names) callers.push(await registerCaller(node.url, name))
  const seen = { paid: 0, failed: 0, signedOut: 0 }
  const visitAt = async (shiftMs: number, index: number) => {
    shift(shiftMs)
    await assertDatabaseFollows(node.ctx)
    for (const caller of callers) count(seen, await doEverything(caller, `k${index}`))
    // Every scheduled job, twice, as two nodes would run them.
    for (const job of [...jobs, ...jobs]) if (job.schedule) await runJob(node.ctx, job, {})
    tools.say(`at ${shiftMs / hourMs} h: ${JSON.stringify(seen)}`)
  }
  for (const [index, shiftMs] of smallShiftsMs.entries()) await visitAt(shiftMs, index)
  const { signedOut } = seen
  // After a jump of a month, sign-ins do end.
  for (const [index, shiftMs] of monthShiftsMs.entries()) {
    shift(shiftMs)
    callers.length = 0
    for (const name of names) callers.push(await signInCaller(node.url, name))
    await visitAt(shiftMs, 100 + index)
  }
  const found = await audit(node.ctx)
  return verdict(
    `${found.allocations} allocations, ${found.doubled} doubled, ${found.bonuses} second bonuses, ${seen.paid} paid and ${found.charged} charged, ${found.unbalanced} unbalanced`,
    {
      'credits were allocated twice': found.doubled === 0,
      'a month was not allocated': (found.allocations ?? 0) >= people,
      'a bonus was given twice': found.bonuses === 0,
      'somebody paid twice, or not at all': found.charged === seen.paid,
      'a balance is not its sum': found.unbalanced === 0,
      'a request failed': seen.failed === 0,
      'somebody was signed out': signedOut === 0,
    },
  )
}

function count(seen: { paid: number; failed: number; signedOut: number }, statuses: number[]) {
  const [first] = statuses
  if (first === 200) seen.paid += 1
  seen.failed += statuses.filter((status) => status >= 500 || status === 0).length
  seen.signedOut += statuses.filter((status) => status === 401).length
}

/** Makes a paid call, often under one key, then calls that only read. */
async function doEverything(caller: Caller, key: string): Promise<number[]> {
  const paid = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ caption: 'Look at the harbour.' }),
  }
  const rewritten = await Promise.all(
    Array.from({ length: crowd }, () => caller('/api/manual/rewrite-caption', paid)),
  )
  const statuses = rewritten.map(({ status }) => status).toSorted((a, b) => a - b)
  const read = [await caller('/api/credits/balance'), await caller('/api/auth/user')]
  return [...statuses, ...read.map(({ status }) => status)]
}

async function assertDatabaseFollows(ctx: Context): Promise<void> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(ctx.db)
  const offMs = Number(rows[0]?.now) - Date.now()
  assert.ok(Math.abs(offMs) < 60_000, `the database’s clock is off by ${offMs} ms`)
}

async function audit(ctx: Context) {
  const { rows } = await sql<{
    allocations: number
    doubled: number
    bonuses: number
    charged: number
    unbalanced: number
  }>`
    select
      (select count(*) from credit_transactions where description = 'Monthly credits')::int
        as allocations,
      (select count(*) from (
        select 1 from credit_transactions where description = 'Monthly credits'
        group by user_id, metadata->>'month' having count(*) > 1) twice)::int as doubled,
      (select count(*) from (
        select 1 from credit_transactions where description = 'Welcome credits'
        group by user_id having count(*) > 1) twice)::int as bonuses,
      (select count(*) from credit_transactions debit where type = 'spend' and not exists (
        select 1 from credit_transactions back where back.refund_of = debit.id))::int as charged,
      (select count(*) from credit_accounts where balance is distinct from
        (select coalesce(sum(amount), 0) from credit_transactions
          where credit_transactions.user_id = credit_accounts.user_id))::int as unbalanced
  `.execute(ctx.db)
  const [figures] = rows
  assert.ok(figures)
  return figures
}
