/**
 * A worker as a separate program. Its job writes one row for each number, with the process id. With PROMISE
 * it first enqueues that many jobs, in batches, each in a transaction. With WORK=picture each job also
 * creates a small picture; with WORK=none it runs no job.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { z } from 'zod'
import { parseConfig } from '../../src/server/config/config.ts'
import { atomically } from '../../src/server/database/atomically.ts'
import { enqueueAll } from '../../src/server/jobs/enqueue.ts'
import { defineJob } from '../../src/server/jobs/job.ts'
import { openContext } from '../../src/server/open-context.ts'
import { inAccountScope } from '../../src/server/platform/concurrency/account-scope.ts'

const batch = 50
const workMs = 2
const work = process.env['WORK']

const countUp = defineJob({
  name: 'count-up',
  payload: z.object({ number: z.int() }),
  retries: 20,
  timeLimitSeconds: 60,
  atOnce: 20,
  async run(ctx, { number }) {
    if (work === 'picture') await makePicture(number)
    await atomically(ctx, async (ctx) => {
      await sql`insert into counted (number) values (${number}) on conflict do nothing`.execute(
        ctx.db,
      )
      await sql`insert into runs (number, worker) values (${number}, ${process.pid})`.execute(
        ctx.db,
      )
    })
    // Long enough for a kill after the effect and before the report.
    await sleep(workMs)
  },
})

const { ctx } = await openContext(parseConfig(process.env), [countUp])
const promised = Number(process.env['PROMISE'] ?? 0)
if (promised > 0) {
  await sql`create table counted (number integer primary key)`.execute(ctx.db)
  await sql`create table runs (
    number integer, worker integer, at timestamptz default clock_timestamp()
  )`.execute(ctx.db)
  for (let from = 0; from < promised; from += batch)
    await inAccountScope({ account: `account-${from / batch}` }, () =>
      atomically(ctx, async (ctx) => {
        const numbers = Array.from({ length: batch }, (_, place) => ({ number: from + place }))
        await enqueueAll(ctx, countUp, numbers)
      }),
    )
}
process.stdout.write('ready\n')
if (work !== 'none') await ctx.queue.work(ctx)

/** Creates a thumbnail as the vault does: scaled down and encoded again, in its own colour. */
async function makePicture(number: number): Promise<void> {
  const background = { r: number % 256, g: (number >> 8) % 256, b: 128 }
  const picture = sharp({ create: { width: 160, height: 120, channels: 3, background } })
  await picture.resize(80).webp().toBuffer()
}
