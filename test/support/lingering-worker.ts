/**
 * A worker as a separate program with one job: it writes 'begun' to a file named `lines`, waits while a file
 * named `hold` exists, and writes 'done'.
 */
import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { parseConfig } from '../../src/server/config/config.ts'
import { atomically } from '../../src/server/database/atomically.ts'
import { enqueue } from '../../src/server/jobs/enqueue.ts'
import { defineJob } from '../../src/server/jobs/job.ts'
import { openContext } from '../../src/server/open-context.ts'

const linger = defineJob({
  name: 'linger',
  payload: z.object({ word: z.string() }),
  retries: 3,
  timeLimitSeconds: 300,
  async run(_, { word }) {
    appendFileSync('lines', 'begun\n')
    while (existsSync('hold')) await sleep(50)
    appendFileSync('lines', `${word}\n`)
  },
})

const { ctx } = await openContext(parseConfig(process.env), [linger])
if (process.env['ENQUEUE']) {
  await atomically(ctx, async (ctx) => {
    await enqueue(ctx, linger, { word: 'done' })
  })
}
await ctx.queue.work(ctx)
