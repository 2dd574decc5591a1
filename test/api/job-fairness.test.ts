/** Fair scheduling of jobs: accounts run side by side and take turns; the demo account comes last. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '../../src/server/context.ts'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import { runParts } from '../../src/server/database/statement-parts.ts'
import { enqueue, enqueueAll, promisePart } from '../../src/server/jobs/enqueue.ts'
import type { Job } from '../../src/server/jobs/job.ts'
import { defineJob } from '../../src/server/jobs/job.ts'
import type { Queue } from '../../src/server/jobs/queue.ts'
import { createQueue } from '../../src/server/jobs/queue.ts'
import { demoScope, inAccountScope } from '../../src/server/platform/concurrency/account-scope.ts'
import { eventually } from '../support/eventually.ts'
import { openTestDatabase } from '../support/test-database.ts'
import { upload, userIdOf } from '../support/vault-world.ts'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let database: DatabaseHandle
let world: World
const queues: Queue[] = []

beforeAll(async () => {
  database = await openTestDatabase()
  world = await createWorld({}, { database })
})
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop(0)
})
afterAll(() => world.close())

const payload = z.object({ word: z.string() })

function jobOf(name: string, run: Job<typeof payload>['run'], atOnce = 1) {
  return defineJob({ name, payload, retries: 0, timeLimitSeconds: 60, atOnce, run })
}

async function contextWith(...jobs: Job[]): Promise<Context> {
  const queue = await createQueue(database.queueConnection, jobs, world.ctx.log)
  queues.push(queue)
  return { ...world.ctx, queue }
}

const asAccount = <T>(account: string, work: () => Promise<T>) => inAccountScope({ account }, work)
const words = (account: string, count: number) =>
  Array.from({ length: count }, (_, place) => ({ word: `${account}${place + 1}` }))

test('a hundred jobs of one account do not delay another account’s first job, and run one at a time', async () => {
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const work = jobOf(
    'side-by-side',
    async (_, { word }) => {
      begun.push(word)
      if (word.startsWith('a')) await gate.promise
    },
    3,
  )
  const ctx = await contextWith(work)
  await asAccount('a', () => enqueueAll(ctx, work, words('a', 100)))
  await ctx.queue.work(ctx)
  // Three workers fetch at once, so any of the jobs can be the first.
  await eventually(() => expect(begun).toEqual([expect.stringMatching(/^a/)]))
  const [first = ''] = begun
  await asAccount('b', () => enqueueAll(ctx, work, words('b', 3)))
  await asAccount('c', () => enqueue(ctx, work, { word: 'c1' }))
  await eventually(() => expect(begun.toSorted()).toEqual([first, 'b1', 'b2', 'b3', 'c1']))
  gate.resolve()
  await ctx.queue.stop(0)
})

test('accounts take turns at a single worker', async () => {
  const begun: string[] = []
  const work = jobOf('by-turns', async (_, { word }) => void begun.push(word))
  const ctx = await contextWith(work)
  for (const [account, count] of Object.entries({ a: 5, b: 2, c: 1 }))
    await asAccount(account, () => enqueueAll(ctx, work, words(account, count)))
  await ctx.queue.work(ctx)
  await eventually(() => expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', 'a5']))
})

test('jobs that are enqueued by statements take turns like any other', async () => {
  const begun: string[] = []
  const work = jobOf('in-statements', async (_, { word }) => void begun.push(word))
  const ctx = await contextWith(work)
  const say = (...said: string[]) => {
    const text = `asked as (
      select jsonb_build_object('word', word) as data from unnest($1::text[]) as word)`
    const asked = { text, parameters: [said] }
    return runParts(ctx, [asked, promisePart(ctx, work)], 'select from workers_notified')
  }
  await inAccountScope(demoScope, () => say('d1'))
  await asAccount('a', () => say('a1', 'a2'))
  await asAccount('a', () => say('a3'))
  await asAccount('b', () => enqueue(ctx, work, { word: 'b1' }))
  await asAccount('b', () => say('b2'))
  await ctx.queue.work(ctx)
  await eventually(() => expect(begun).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'd1']))
})

test('new accounts do not delay a waiting job for ever', async () => {
  const begun: string[] = []
  const ctxReady = Promise.withResolvers<Context>()
  const work: Job<typeof payload> = jobOf('newcomers', async (_, { word }) => {
    begun.push(word)
    const ctx = await ctxReady.promise
    if (begun.length < 12)
      await asAccount(`new ${begun.length}`, () => enqueue(ctx, work, { word: 'new' }))
  })
  const ctx = await contextWith(work)
  ctxReady.resolve(ctx)
  await asAccount('a', () => enqueueAll(ctx, work, words('a', 3)))
  await ctx.queue.work(ctx)
  await eventually(() => expect(begun).toContain('a3'))
  expect(begun.slice(0, 6)).toEqual(expect.arrayContaining(['a1', 'a2', 'a3']))
})

test('the demo’s jobs run last, and so do jobs that they enqueue', async () => {
  const begun: string[] = []
  const ctxReady = Promise.withResolvers<Context>()
  const after = jobOf('demo-after', async (_, { word }) => void begun.push(word))
  const work = jobOf('demo-first', async (_, { word }) => {
    begun.push(word)
    if (word === 'd1') await enqueue(await ctxReady.promise, after, { word: 'brought by d1' })
  })
  const ctx = await contextWith(work, after)
  ctxReady.resolve(ctx)
  await inAccountScope(demoScope, () => enqueueAll(ctx, work, words('d', 2)))
  await asAccount('a', () => enqueueAll(ctx, work, words('a', 2)))
  await ctx.queue.work(ctx)
  await eventually(() => expect(begun).toContain('brought by d1'))
  expect(begun.slice(0, 3)).toEqual(['a1', 'a2', 'd1'])
  const { rows } = await sql<{ account: string; tier: string; priority: number }>`
    select group_id as account, group_tier as tier, priority from pgboss.job
    where name = 'demo-after'`.execute(database.db)
  expect(rows).toMatchObject([{ account: 'demo', tier: 'last' }])
  expect(rows[0]?.priority).toBeLessThan(-900_000_000)
})

test('a job belongs to the account that requested it', async () => {
  const ana = await world.as('ana')
  await upload(ana)
  const { rows } = await sql<{ account: string }>`
    select group_id as account from pgboss.job where name = 'enrich-media'`.execute(database.db)
  expect(rows).toEqual([{ account: await userIdOf(ana) }])
})
