/** The job queue for administrators: jobs listed by state; failed jobs can be retried or deleted. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deadLetters } from '../../src/server/jobs/queue.ts'
import { changesLogged, withRole } from '../support/admin-world.ts'
import { userIdOf } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let ana: Person
let admin: Person

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  await world.reset()
  await sql`delete from pgboss.job`.execute(world.ctx.db)
  ana = await world.as('ana')
  admin = await withRole(world, 'ada', 'admin')
})
afterAll(() => world.close())

/** Inserts a job as pg-boss does after the last retry, and returns its id. */
async function giveUp(name: string, payload: object, account: string | null = null) {
  const { rows } = await sql<{ id: string }>`
    insert into pgboss.job (name, data, group_id, source_name, source_retry_count, source_output)
    values (${deadLetters}, ${JSON.stringify(payload)}, ${account}, ${name}, 3,
      ${JSON.stringify({ message: `${name} fell over ${'very '.repeat(200)}hard` })})
    returning id`.execute(world.ctx.db)
  return rows[0]?.id ?? ''
}

async function waitingJobs(name: string) {
  const { rows } = await sql`
    select data, group_id as account from pgboss.job
    where name = ${name} and state = 'created'`.execute(world.ctx.db)
  return rows
}

test('dead jobs are listed with their error, in pages, without their payload', async () => {
  const ids: string[] = []
  for (const place of [1, 2, 3]) ids.unshift(await giveUp('sweep-files', { secret: place }))
  const first = await admin.adminJobs.list({ query: { limit: '2' } })
  const second = await admin.adminJobs.list({
    query: { limit: '2', cursor: first.nextCursor ?? '' },
  })
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
  expect(second.nextCursor).toBeNull()
  expect(first.items[0]).toMatchObject({ name: 'sweep-files', state: 'dead', retries: 3 })
  expect(first.items[0]?.error).toMatch(/^sweep-files fell over/)
  expect(first.items[0]?.error).toHaveLength(500)
  expect(JSON.stringify(first)).not.toContain('secret')
  expect((await refused(admin.adminJobs.list({ query: { cursor: 'x' } }))).status).toBe(400)
})

test('jobs are listed by state', async () => {
  await ana.sessions.create({ body: { title: 'One', subfeeds: 'pictures' } })
  const states = ['waiting', 'running', 'retrying', 'dead'] as const
  const namesIn = async (state: (typeof states)[number]) => {
    const { items } = await admin.adminJobs.list({ query: { state } })
    return items.map(({ name }) => name)
  }
  expect(await namesIn('waiting')).toContain('fill-session')
  for (const [state, kept] of [
    ['running', 'active'],
    ['retrying', 'retry'],
  ] as const) {
    await sql`update pgboss.job set state = ${sql.lit(kept)}
      where name = 'fill-session'`.execute(world.ctx.db)
    for (const other of states)
      expect((await namesIn(other)).includes('fill-session')).toBe(other === state)
  }
})

test('a dead job is retried once for its account, and the retry is logged', async () => {
  const account = await userIdOf(ana)
  const id = await giveUp('sweep-files', {}, account)
  const params = { id }
  const outcomes = await Promise.allSettled([
    admin.adminJobs.retry({ params }),
    admin.adminJobs.retry({ params }),
  ])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await refused(admin.adminJobs.retry({ params }))).status).toBe(404)
  expect(await waitingJobs('sweep-files')).toEqual([{ data: {}, account }])
  expect((await admin.adminJobs.list()).items).toEqual([])
  const [change] = await changesLogged(world)
  expect(change?.details).toEqual({ job: 'sweep-files', retried: id })
})

test('a job of an unknown kind stays in the list, and can be discarded', async () => {
  const params = { id: await giveUp('job-of-old', {}) }
  expect((await refused(admin.adminJobs.retry({ params }))).status).toBe(404)
  expect((await admin.adminJobs.list()).items).toHaveLength(1)
  await admin.adminJobs.discard({ params })
  expect((await refused(admin.adminJobs.discard({ params }))).status).toBe(404)
  const [change] = await changesLogged(world)
  expect(change?.details).toEqual({ job: 'job-of-old', discarded: params.id })
})

test('a waiting job cannot be discarded', async () => {
  await ana.sessions.create({ body: { title: 'One', subfeeds: 'pictures' } })
  const { items } = await admin.adminJobs.list({ query: { state: 'waiting' } })
  const params = { id: items.find(({ name }) => name === 'fill-session')?.id ?? '' }
  expect((await refused(admin.adminJobs.discard({ params }))).status).toBe(404)
  expect((await refused(admin.adminJobs.retry({ params }))).status).toBe(404)
  expect(await waitingJobs('fill-session')).toHaveLength(1)
})

test('ordinary accounts have no access', async () => {
  const params = { id: await giveUp('sweep-files', {}) }
  const calls = [
    ana.adminJobs.list(),
    ana.adminJobs.retry({ params }),
    ana.adminJobs.discard({ params }),
    ana.admin.statsByDay(),
  ]
  for (const { message } of await Promise.all(calls.map(refused))) expect(message).toBe('Forbidden')
  expect((await admin.adminJobs.list()).items).toHaveLength(1)
})

test('the last days are counted one by one, including empty days', async () => {
  await ana.sessions.create({ body: { title: 'One', subfeeds: 'pictures' } })
  const { days } = await admin.admin.statsByDay()
  expect(days).toHaveLength(30)
  const today = world.ctx.now().toISOString().slice(0, 10)
  expect(days.at(-1)).toMatchObject({ day: today, sessions: 1, creditsOut: 25 })
  expect(days.at(-1)?.people).toBeGreaterThanOrEqual(2)
  expect(days.at(-1)?.creditsIn).toBeGreaterThan(0)
  expect(days[0]).toMatchObject({ people: 0, sessions: 0, creditsIn: 0, storedBytes: 0 })
})
