/**
 * A worker as a program of its own, whose job writes one row for each of its numbers. With PROMISE it
 * first promises so many of them, in batches, each in the transaction that writes down its promise.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { parseConfig } from '../../src/server/config/config.ts'
import { atomically } from '../../src/server/database/atomically.ts'
import { enqueueAll } from '../../src/server/jobs/enqueue.ts'
import { defineJob } from '../../src/server/jobs/job.ts'
import { openContext } from '../../src/server/open-context.ts'
import { inAccountScope } from '../../src/server/platform/concurrency/account-scope.ts'

const batch = 50
const workMs = 2

const countUp = defineJob({
  name: 'count-up',
  payload: z.object({ number: z.int() }),
  retries: 20,
  timeLimitSeconds: 60,
  atOnce: 20,
  async run(ctx, { number }) {
    await atomically(ctx, async (ctx) => {
      await sql`insert into counted (number) values (${number}) on conflict do nothing`.execute(
        ctx.db,
      )
      await sql`insert into runs (number) values (${number})`.execute(ctx.db)
    })
    // Long enough to be killed after the effect and before its report.
    await sleep(workMs)
  },
})

const { ctx } = await openContext(parseConfig(process.env), [countUp])
const promised = Number(process.env['PROMISE'] ?? 0)
if (promised > 0) {
  await sql`create table counted (number integer primary key)`.execute(ctx.db)
  await sql`create table runs (number integer, at timestamptz default clock_timestamp())`.execute(
    ctx.db,
  )
  for (let from = 0; from < promised; from += batch)
    await inAccountScope({ account: `account-${from / batch}` }, () =>
      atomically(ctx, async (ctx) => {
        const numbers = Array.from({ length: batch }, (_, place) => ({ number: from + place }))
        await enqueueAll(ctx, countUp, numbers)
      }),
    )
}
process.stdout.write('ready\n')
await ctx.queue.work(ctx)
