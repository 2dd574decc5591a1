/** Jobs on both engines: enqueued with the write, retried, never lost, and ended in order. */
import { sql } from 'kysely'
import type { Db, PgBoss } from 'pg-boss'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from '../../src/server/context.ts'
import { atomically } from '../../src/server/database/atomically.ts'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import { runParts } from '../../src/server/database/statement-parts.ts'
import { enqueue, promisePart } from '../../src/server/jobs/enqueue.ts'
import type { Job } from '../../src/server/jobs/job.ts'
import { defineJob } from '../../src/server/jobs/job.ts'
import { readPromises } from '../../src/server/jobs/promises.ts'
import type { Queue } from '../../src/server/jobs/queue.ts'
import { createQueue, deadLetters } from '../../src/server/jobs/queue.ts'
import { eventually } from '../support/eventually.ts'
import { openTestDatabase } from '../support/test-database.ts'
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

test('a job can be enqueued in a transaction as the first use of its queue', async () => {
  const ctx = await contextWith(noting('first-use', []))
  await atomically(ctx, (ctx) => enqueue(ctx, noting('first-use', []), { word: 'hello' }))
  expect(await rowsOf('first-use')).toMatchObject([{ state: 'created', data: { word: 'hello' } }])
}, 15_000)

test('a later start updates an existing queue with the changes of its job', async () => {
  const note = noting('standing', [])
  const [first, same] = [await contextWith(note), await contextWith(note)]
  await atomically(same, (ctx) => enqueue(ctx, note, { word: 'hello' }))
  expect(await first.queue.boss.getQueue('standing')).toMatchObject({ retryLimit: note.retries })
  const other = await contextWith(defineJob({ ...note, retries: note.retries + 5 }))
  const standing = await other.queue.boss.getQueue('standing')
  expect(standing).toMatchObject({ retryLimit: note.retries + 5 })
}, 15_000)

test('a job runs if, and only if, the transaction that enqueued it commits', async () => {
  const heard: string[] = []
  const note = noting('promised', heard)
  const ctx = await contextWith(note)
  const lost = atomically(ctx, async (ctx) => {
    await enqueue(ctx, note, { word: 'lost' })
    throw new Error('changed our mind')
  })
  await expect(lost).rejects.toThrow('changed our mind')
  await atomically(ctx, (ctx) => enqueue(ctx, note, { word: 'kept' }))
  await ctx.queue.work(ctx)
  await eventually(() => expect(heard).toEqual(['kept']))
  await eventually(async () =>
    expect(await rowsOf('promised')).toMatchObject([{ state: 'completed' }]),
  )
})

test('a job that is part of a statement is enqueued with it, and notifies the workers', async () => {
  const heard: string[] = []
  const note = noting('in-a-statement', heard)
  const notices: string[] = []
  const ctx = await contextWith(note, { notices })
  await ctx.queue.work(ctx)
  const promise = promisePart(ctx, note)
  const asked = {
    text: `asked as (select jsonb_build_object('word', word) as data from words)`,
    parameters: [],
  }
  const say = (words: readonly string[]) => {
    const given = { text: 'words as (select unnest($1::text[]) as word)', parameters: [words] }
    return runParts<{ word: string }>(
      ctx,
      [given, asked, promise],
      'select word from words, workers_notified',
    )
  }
  expect(await say([])).toEqual([])
  expect(await say(['one', 'two'])).toEqual([{ word: 'one' }, { word: 'two' }])
  await eventually(() => expect(heard.toSorted()).toEqual(['one', 'two']))
  await eventually(() => expect(notices).toEqual(['in-a-statement']))
  const broken = runParts(
    ctx,
    [{ text: `words as (select 'x' as word)`, parameters: [] }, asked, promise],
    'select 1 / (select count(*) from workers_notified where false) from workers_notified',
  )
  await expect(broken).rejects.toThrow('division by zero')
  expect(await rowsOf('in-a-statement')).toHaveLength(2)
})

test.each([
  ['INSERT INTO', 'MERGE INTO'],
  ['COALESCE(priority, 0) as priority', 'priority'],
  ['json_to_recordset($1::text::json)', 'jsonb_to_recordset($1)'],
  ['priority integer,', 'integer,'],
  ['SELECT id FROM ins', 'SELECT * FROM ins'],
])('a pg-boss with other insert statements is refused: %s', async (usual, other) => {
  const { queue } = await contextWith(noting('in-words', []))
  const insert: PgBoss['insert'] = (name, jobs, options) => {
    const executeSql = async (text: string) => {
      expect(text).toContain(usual)
      await options?.db?.executeSql(
        text.replace(usual, () => other),
        [],
      )
      return { rows: [] }
    }
    return queue.boss.insert(name, jobs, { db: { executeSql } })
  }
  await expect(readPromises({ insert } as PgBoss, 'in-words')).rejects.toThrow(
    'inserts jobs in a different way',
  )
})

test('a delayed job waits for its time', async () => {
  const heard: string[] = []
  const note = noting('later', heard)
  const ctx = await contextWith(note)
  await enqueue(ctx, note, { word: 'later' }, { startAfter: new Date(Date.now() + 3_600_000) })
  await enqueue(ctx, note, { word: 'now' })
  await ctx.queue.work(ctx)
  await eventually(() => expect(heard).toEqual(['now']))
  await makeDue('later')
  await eventually(() => expect(heard).toEqual(['now', 'later']))
})

test('a failing job is retried, and ends in the dead letters with its payload', async () => {
  let attempts = 0
  const stumble = defineJob({
    ...noting('stumble', []),
    retries: 1,
    async run() {
      attempts += 1
      throw new Error(`fell ${attempts} times`)
    },
  })
  const ctx = await contextWith(stumble)
  await enqueue(ctx, stumble, { word: 'up' })
  await ctx.queue.work(ctx)
  await eventually(async () => expect(await rowsOf('stumble')).toMatchObject([{ state: 'retry' }]))
  expect(await deadLettersOf('stumble')).toEqual([])
  await makeDue('stumble')
  await eventually(async () => expect(await rowsOf('stumble')).toMatchObject([{ state: 'failed' }]))
  expect(attempts).toBe(2)
  const letters = await deadLettersOf('stumble')
  expect(letters).toMatchObject([{ state: 'created', data: { word: 'up' } }])
  expect(JSON.stringify(letters)).toContain('fell 2 times')
})

test('a payload that does not match its schema fails without being run', async () => {
  const heard: string[] = []
  const note = defineJob({ ...noting('misfit', heard), retries: 0 })
  const ctx = await contextWith(note)
  await ctx.queue.send(ctx.db, 'misfit', { word: 7 }, {})
  await ctx.queue.work(ctx)
  await eventually(async () => expect(await rowsOf('misfit')).toMatchObject([{ state: 'failed' }]))
  expect(heard).toEqual([])
  expect(await deadLettersOf('misfit')).toMatchObject([{ data: { word: 7 } }])
})

test('a job with a schedule is scheduled, and runs with an empty payload', async () => {
  let runs = 0
  const daily = defineJob({
    name: 'daily',
    payload: z.object({}),
    retries: 1,
    timeLimitSeconds: 60,
    schedule: '17 3 * * *',
    run: async () => void (runs += 1),
  })
  const ctx = await contextWith(daily)
  await ctx.queue.schedule()
  await ctx.queue.schedule()
  await ctx.queue.work(ctx)
  const schedules = await ctx.queue.boss.getSchedules('daily')
  expect(schedules).toMatchObject([{ name: 'daily', cron: '17 3 * * *', timezone: 'UTC' }])
  await ctx.queue.boss.send('daily')
  await eventually(() => expect(runs).toBe(1))
})

test.each([
  ['stopped its heartbeat', sql`heartbeat_on = now() - interval '1 minute'`],
  ['is past its time limit', sql`started_on = now() - interval '2 minutes'`],
])('the job of a worker that %s is run by another', async (why, past) => {
  const name = why.replaceAll(' ', '-')
  const heard: string[] = []
  const note = noting(name, heard)
  const ctx = await contextWith(note)
  await enqueue(ctx, note, { word: 'again' })
  // A worker takes the job and then disappears.
  expect(await ctx.queue.boss.fetch(name)).toHaveLength(1)
  await superviseNow(ctx, name)
  expect(await rowsOf(name)).toMatchObject([{ state: 'active' }])
  await sql`update pgboss.job set ${past} where name = ${name}`.execute(ctx.db)
  await superviseNow(ctx, name)
  expect(await rowsOf(name)).toMatchObject([{ state: 'retry' }])
  await makeDue(name)
  await ctx.queue.work(ctx)
  await eventually(() => expect(heard).toEqual(['again']))
})

test('stopping lets the running job finish, and takes no other', async () => {
  const { job, begun, release } = held('finish')
  const ctx = await contextWith(job)
  await enqueue(ctx, job, { word: 'running' })
  await enqueue(ctx, job, { word: 'waiting' })
  await ctx.queue.work(ctx)
  await begun
  const stopped = ctx.queue.stop(20_000)
  expect(await rowsOf('finish')).toMatchObject([{ state: 'active' }, { state: 'created' }])
  release()
  await stopped
  expect(await rowsOf('finish')).toMatchObject([
    { state: 'completed', data: { word: 'running' } },
    { state: 'created', data: { word: 'waiting' } },
  ])
})

test('stopping returns a job that outlives the drain, and the next node runs it', async () => {
  const { job, begun, release } = held('outlive')
  const ctx = await contextWith(job)
  await enqueue(ctx, job, { word: 'long' })
  await ctx.queue.work(ctx)
  await begun
  await ctx.queue.stop(0)
  expect(await rowsOf('outlive')).toMatchObject([{ state: 'retry', data: { word: 'long' } }])
  release()
  const heard: string[] = []
  const next = await contextWith(noting('outlive', heard))
  await makeDue('outlive')
  await next.queue.work(next)
  await eventually(() => expect(heard).toEqual(['long']))
})

/** Returns the world's context with a queue for these jobs. No worker runs yet. */
async function contextWith(
  job: Job,
  { notices = [] }: { notices?: string[] } = {},
): Promise<Context> {
  const connection = noticing(database.queueConnection, notices)
  const queue = await createQueue(connection, [job], world.ctx.log)
  queues.push(queue)
  return { ...world.ctx, queue }
}

/** Records the queues for which workers are notified. */
function noticing(
  connection: DatabaseHandle['queueConnection'],
  notices: string[],
): DatabaseHandle['queueConnection'] {
  const { db } = connection
  if (!db) throw new Error('the queue has no connection of ours')
  const listen: Db['listen'] = async (channel, onNotification, onReconnect) => {
    const tell = (payload: string) => {
      notices.push(payload)
      onNotification(payload)
    }
    return db.listen?.(channel, tell, onReconnect) ?? { close: async () => {} }
  }
  return { ...connection, db: { ...db, listen } }
}

/** Returns a job that records the words of its payloads. */
function noting(name: string, heard: string[]) {
  return defineJob({
    name,
    payload: z.object({ word: z.string() }),
    retries: 1,
    timeLimitSeconds: 60,
    run: async (_, { word }) => void heard.push(word),
  })
}

/** Returns a job that runs until it is released. */
function held(name: string) {
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const job = defineJob({
    ...noting(name, []),
    run: async () => {
      begun.resolve()
      await gate.promise
    },
  })
  return { job, begun: begun.promise, release: gate.resolve }
}

async function rowsOf(name: string) {
  const { rows } = await sql<{ state: string; data: unknown }>`
    select state, data from pgboss.job where name = ${name} order by created_on
  `.execute(database.db)
  return rows
}

async function deadLettersOf(name: string) {
  const { rows } = await sql<{ state: string; data: unknown; output: unknown }>`
    select state, data, source_output as output from pgboss.job
    where name = ${deadLetters} and source_name = ${name}
  `.execute(database.db)
  return rows
}

/** Makes delayed jobs due, so that tests need not wait. */
async function makeDue(name: string): Promise<void> {
  await sql`update pgboss.job set start_after = now() where name = ${name}`.execute(database.db)
}

/** Runs the supervision that every node does every few seconds, as if none had done it just now. */
async function superviseNow(ctx: Context, name: string): Promise<void> {
  await sql`update pgboss.queue set monitor_claim_on = null, monitor_on = null
    where name = ${name}`.execute(ctx.db)
  await ctx.queue.boss.supervise(name)
}
