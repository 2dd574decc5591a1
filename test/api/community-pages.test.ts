/** Pagination of the community (contract 4.2). */
import { describe, expect, test } from 'vitest'
import { insertCommunityMedia, insertCommunitySession } from '../support/community-rows.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let ana: Person
let anaId: string
/** Age-verified, with no relation to the content. */
let bo: Person

useWorld(createWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
  await bo.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  anaId = (await ana.accounts.currentUser()).id
})

type Query = NonNullable<Parameters<Person['community']['browse']>[0]>['query']

const browse = (query: Query = {}, person = bo) => person.community.browse({ query })
const items = async (query: Query = {}, person = bo) => (await browse(query, person)).items
const namesOf = (found: Awaited<ReturnType<typeof items>>) =>
  found.map((item) => (item.kind === 'session' ? item.title : `media ${item.id}`))
const names = async (query: Query = {}, person = bo) => namesOf(await items(query, person))

const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 0, 1, 0, minute, second))
const session = (title: string, change: Parameters<typeof insertCommunitySession>[2] = {}) =>
  insertCommunitySession(world.ctx, anaId, { title, ...change })
const media = (change: Parameters<typeof insertCommunityMedia>[2] = {}) =>
  insertCommunityMedia(world.ctx, anaId, change)

/** Reads all pages in order, and calls `between` after each. */
async function walk(query: Query, between: (page: number) => Promise<unknown> = async () => {}) {
  const found: string[] = []
  let cursor: string | null = null
  for (let page = 0; page < 100; page += 1) {
    const next: Query = cursor === null ? query : { ...query, cursor }
    const answer = await browse(next)
    found.push(...namesOf(answer.items))
    cursor = answer.nextCursor
    if (cursor === null) return found
    await between(page)
  }
  throw new Error('the walk does not end')
}

describe('pages', () => {
  /** Inserts thirty of each, three at the same moment. */
  const fill = async () => {
    for (let n = 0; n < 30; n += 1) {
      const published = at(Math.floor(n / 3))
      await session(`session ${n}`, { published_at: published, saved_count: n % 4 })
      await media({ published_at: published })
    }
  }

  test.each([
    { sort: 'recent', kind: 'all' },
    { sort: 'recent', kind: 'sessions' },
    { sort: 'recent', kind: 'media' },
    { sort: 'popular', kind: 'all' },
    { sort: 'popular', kind: 'sessions' },
    { sort: 'popular', kind: 'media' },
  ] as const)('of $kind by $sort list each item once, in one order', async (query) => {
    await fill()
    const whole = await names({ ...query, limit: '100' })
    expect(whole).toHaveLength(query.kind === 'all' ? 60 : 30)
    for (const limit of ['1', '7', '30']) expect(await walk({ ...query, limit })).toEqual(whole)
  })

  test('by time: newest first, a session before media of the same moment', async () => {
    await session('old', { published_at: at(1) })
    await media({ published_at: at(2) })
    await session('same moment', { published_at: at(2) })
    await session('new', { published_at: at(3) })
    expect(await names()).toEqual(['new', 'same moment', 'media 1', 'old'])
  })

  test('by popularity: most saved first, then newest; media count as never saved', async () => {
    await session('loved', { published_at: at(1), saved_count: 5 })
    await session('known', { published_at: at(2), saved_count: 1 })
    await session('unknown', { published_at: at(3) })
    await media({ published_at: at(4) })
    await session('known, newer', { published_at: at(3), saved_count: 1 })
    expect(await names({ sort: 'popular' })).toEqual([
      'loved',
      'known, newer',
      'known',
      'media 1',
      'unknown',
    ])
  })

  test('have thirty items by default, and say when there are no more', async () => {
    await fill()
    const first = await browse()
    expect(first.items).toHaveLength(30)
    const second = await browse({ cursor: first.nextCursor! })
    expect(second.items).toHaveLength(30)
    expect(second.nextCursor).toBeNull()
  })

  test('show each item once while items are added and removed', async () => {
    await fill()
    const whole = await names({ limit: '100' })
    const found = await walk({ limit: '7' }, async (page) => {
      await session(`late ${page}`, { published_at: at(30, page) })
      await media({ published_at: at(30, page) })
      const last = whole.at(-1 - page)!
      if (last.startsWith('session'))
        await world.ctx.db
          .updateTable('community_sessions')
          .set({ status: 'withdrawn' })
          .where('title', '=', last)
          .execute()
    })
    expect(new Set(found).size).toBe(found.length)
    expect(found.filter((name) => name.startsWith('late'))).toEqual([])
    expect(found).toEqual(whole.filter((name) => found.includes(name)))
    expect(found.length).toBeGreaterThan(50)
    const popular = await walk({ sort: 'popular', limit: '7' }, (page) =>
      session(`later ${page}`, { published_at: at(40), saved_count: 100 }),
    )
    expect(new Set(popular).size).toBe(popular.length)
  })

  test('do not split items of one millisecond', async () => {
    for (let n = 0; n < 9; n += 1) {
      const id = await session(`session ${n}`)
      const { sql } = await import('kysely')
      await sql`update community_sessions
        set published_at = '2026-01-01T00:00:00Z'::timestamptz + ${`${n} microseconds`}::interval
        where id = ${Number(id)}`.execute(world.ctx.db)
    }
    expect(await walk({ limit: '2' })).toEqual(
      Array.from({ length: 9 }, (_, n) => `session ${8 - n}`),
    )
  })

  test('refuse a cursor that the list did not return', async () => {
    await fill()
    const { nextCursor } = await browse({ limit: '3' })
    expect(await refused(browse({ cursor: nextCursor!, sort: 'popular' }))).toMatchObject({
      status: 400,
    })
    const forge = (fields: unknown) => Buffer.from(JSON.stringify(fields)).toString('base64url')
    const moment = '2026-01-01T00:00:00.000000Z'
    for (const cursor of [
      '',
      'x',
      '%00',
      '../..',
      "' or 1=1",
      `${nextCursor}x`,
      nextCursor!.slice(2),
      forge(null),
      forge([]),
      forge(['recent', 0, moment, 'session', -1]),
      forge(['recent', 0, moment, 'session', 1.5]),
      forge(['recent', 0, moment, 'user', 1]),
      forge(['recent', 2 ** 31, moment, 'session', 1]),
      forge(['recent', 0, '2026-13-45T00:00:00.000000Z', 'session', 1]),
      forge(['recent', 0, 'infinity', 'session', 1]),
      forge(['recent', 0, moment, 'session', 1, 1]),
      forge({ length: 5 }),
    ])
      expect(await refused(browse({ cursor })), cursor).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('cursor') },
      })
  })
})
