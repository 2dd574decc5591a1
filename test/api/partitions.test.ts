/**
 * Partitions of events and of the activity log: one for each time range, created ahead and dropped when
 * expired.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logActivity } from '../../src/server/features/activity/activity.ts'
import { forgetActivity } from '../../src/server/features/activity/jobs.ts'
import { insertEvent } from '../../src/server/features/sessions/events/event-queries.ts'
import { sweepEvents } from '../../src/server/features/sessions/jobs.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

const dayMs = 24 * 3600 * 1000

let world: World
let ana: Person
let sessionId: number

beforeAll(async () => {
  world = await createWorld({ ACTIVITY_KEEP_DAYS: '90' })
  world.clock.set('2031-03-15T12:00:00Z')
  ana = await world.as('ana')
  const slides = [{ mediaUrl: 'https://pictures.example.test/one.jpg' }]
  const { session } = await ana.sessions.createManual({ body: { title: 'Parts', slides } })
  sessionId = session.id
  await world.ctx.db.deleteFrom('session_events').execute()
})
afterAll(() => world.close())

test('rows without a partition move to the new one, and later rows go there at once', async () => {
  await insertEvent(world.ctx, sessionId, { type: 'fill', data: { first: true } })
  expect(await partsOf('session_events')).toEqual(['session_events_rest'])
  await sweepEvents(world.ctx)
  expect(await partsOf('session_events')).toEqual([
    'session_events_20310315',
    'session_events_20310316',
    'session_events_20310317',
    'session_events_20310318',
    'session_events_rest',
  ])
  await insertEvent(world.ctx, sessionId, { type: 'fill', data: { second: true } })
  expect(await rowsIn('session_events_20310315')).toBe(2)
  expect(await rowsIn('session_events_rest')).toBe(0)
})

test('a second sweep changes nothing, and two concurrent ones make each partition once', async () => {
  const before = await partsOf('session_events')
  await sweepEvents(world.ctx)
  expect(await partsOf('session_events')).toEqual(before)
  await Promise.all([forgetActivity(world.ctx), forgetActivity(world.ctx)])
  expect(await partsOf('activity_log')).toEqual([
    'activity_log_20310301',
    'activity_log_20310401',
    'activity_log_20310501',
    'activity_log_rest',
  ])
})

test('events are deleted by the day, once the whole day is old enough', async () => {
  world.clock.advance(dayMs)
  await sweepEvents(world.ctx)
  expect(await rowsIn('session_events_20310315')).toBe(2)
  world.clock.advance(dayMs)
  await sweepEvents(world.ctx)
  expect(await partsOf('session_events')).not.toContain('session_events_20310315')
  expect(await partsOf('session_events')).toContain('session_events_20310320')
})

test('a deleted session takes its events along, from every partition', async () => {
  await insertEvent(world.ctx, sessionId, { type: 'fill', data: {} })
  expect(await rowsIn('session_events_20310317')).toBe(1)
  await ana.sessions.remove({ params: { id: String(sessionId) } })
  expect(await rowsIn('session_events_20310317')).toBe(0)
})

test('activity older than the setting is deleted, and its ids continue', async () => {
  const entry = { userId: null, action: 'admin_changed', feature: 'administration' } as const
  const numbers = async () => {
    const rows = await world.ctx.db.selectFrom('activity_log').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  }
  await world.ctx.db.deleteFrom('activity_log').execute()
  // No partition exists for this time, as when a clock is far off.
  world.clock.advance(-400 * dayMs)
  await logActivity(world.ctx, null, entry)
  world.clock.advance(400 * dayMs)
  await logActivity(world.ctx, null, entry)
  const [first = 0, second = 0] = await numbers()
  expect(second).toBeGreaterThan(first)
  expect(await rowsIn('activity_log_rest')).toBe(1)
  await forgetActivity(world.ctx)
  expect(await numbers()).toEqual([second])
  world.clock.advance(80 * dayMs)
  await forgetActivity(world.ctx)
  expect(await numbers()).toEqual([second])
  world.clock.advance(60 * dayMs)
  await forgetActivity(world.ctx)
  expect(await numbers()).toEqual([])
  expect(await partsOf('activity_log')).not.toContain('activity_log_20310301')
})

test('with 0 days nothing is deleted', async () => {
  const ctx = { ...world.ctx, config: { ...world.ctx.config, activityKeepDays: 0 } }
  await logActivity(ctx, null, { userId: null, action: 'admin_changed', feature: 'administration' })
  world.clock.advance(4000 * dayMs)
  await forgetActivity(ctx)
  expect(await ctx.db.selectFrom('activity_log').select('id').execute()).toHaveLength(1)
})

async function partsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${table}::regclass order by relname`.execute(world.ctx.db)
  return rows.map(({ name }) => name)
}

async function rowsIn(part: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*)::int as rows from ${sql.table(`partitions.${part}`)}`.execute(world.ctx.db)
  return rows[0]?.rows ?? 0
}
