/** API keys (contract 14): shown once, stored as a hash, and checked in one place. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { maxKeys } from '../../src/contract/keys.ts'
import { eventually } from '../support/eventually.ts'
import { programOf, withKey } from '../support/key-world.ts'
import { openTestDatabase } from '../support/test-database.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { exportOf } from '../support/unzip.ts'
import { putMedia } from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

let world: World
let ana: Person
let bo: Person

let statements = 0

beforeAll(async () => {
  const opened = await openTestDatabase()
  const query: typeof opened.query = (...asked) => {
    statements += 1
    return opened.query(...asked)
  }
  world = await createWorld({}, { database: { ...opened, query } })
})
beforeEach(async () => {
  await world.reset()
  ana = await world.as('ana')
  bo = await world.as('bo')
})
afterAll(() => world.close())

const minuteMs = 60_000
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const before = statements
  await work()
  return statements - before
}
const entriesOf = async (action: string) =>
  world.ctx.db.selectFrom('activity_log').selectAll().where('action', '=', action).execute()

describe('a key', () => {
  test('is shown once, and only its hash is stored', async () => {
    const made = await ana.keys.create({
      body: { name: ' Backup ', scopes: ['media:read', 'sessions:read', 'media:read'] },
    })
    expect(made).toMatchObject({
      name: 'Backup',
      scopes: ['sessions:read', 'media:read'],
      lastUsedAt: null,
      expiresAt: null,
    })
    expect(made.key).toMatch(/^lan_[\w-]{43}$/)
    expect(made.key.startsWith(made.prefix)).toBe(true)
    const { key, ...listed } = made
    expect(await ana.keys.list()).toEqual([listed])
    expect(await bo.keys.list()).toEqual([])
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(api_keys)::text as row from api_keys
      union all select to_jsonb(activity_log)::text from activity_log`.execute(world.ctx.db)
    for (const { row } of rows) expect(row).not.toContain(key.slice(made.prefix.length))
    expect(await entriesOf('key_created')).toMatchObject([
      { feature: 'authentication', details: { keyId: made.id, scopes: made.scopes } },
    ])
  })

  test('works for its owner until it is revoked, and only the owner can revoke it', async () => {
    const { id, key } = await ana.keys.create({ body: { name: 'CI', scopes: ['sessions:read'] } })
    const program = withKey(world, key)
    expect(await program.sessions.list()).toEqual([])
    expect(await refused(bo.keys.remove({ params: { id } }))).toMatchObject({ status: 404 })
    expect(await refused(ana.keys.remove({ params: { id: 'none' } }))).toMatchObject({
      status: 404,
      message: 'Key not found',
    })
    expect(await program.sessions.list()).toEqual([])
    expect(await ana.keys.remove({ params: { id } })).toEqual({ message: 'Key revoked' })
    expect(await refused(program.sessions.list())).toMatchObject({ status: 401 })
    expect(await refused(ana.keys.remove({ params: { id } }))).toMatchObject({ status: 404 })
    expect(await entriesOf('key_removed')).toMatchObject([{ details: { keyId: id } }])
  })

  test('expires at its time', async () => {
    const late = (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString()
    const make = (expiresAt: string) =>
      ana.keys.create({ body: { name: 'Soon gone', scopes: ['sessions:read'], expiresAt } })
    expect(await refused(make(late(-1)))).toMatchObject({ status: 400 })
    const { key, expiresAt } = await make(late(10 * minuteMs))
    expect(expiresAt).not.toBeNull()
    const program = withKey(world, key)
    await program.sessions.list()
    world.clock.advance(10 * minuteMs)
    expect(await refused(program.sessions.list())).toMatchObject({ status: 401 })
    expect(await ana.keys.list()).toHaveLength(1)
  })

  test('shows when it was last used, to five minutes, and by what', async () => {
    const { key } = await ana.keys.create({ body: { name: 'Frame', scopes: ['sessions:read'] } })
    const program = world.visitor({ authorization: `bearer ${key}`, 'user-agent': 'frame/1' })
    const lastUsed = async () => (await ana.keys.list())[0]?.lastUsedAt
    await program.sessions.list()
    const first = await lastUsed()
    world.clock.advance(4 * minuteMs)
    await program.sessions.list()
    expect(await lastUsed()).toBe(first)
    world.clock.advance(minuteMs)
    await program.sessions.list()
    expect(await lastUsed()).not.toBe(first)
    const row = await world.ctx.db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ user_agent: 'frame/1', ip_address: expect.stringMatching(/127/) })
  })

  test('is one of at most fifty, however many are created at once', async () => {
    const make = () => ana.keys.create({ body: { name: 'One more', scopes: ['rooms'] } })
    const outcomes = await Promise.allSettled(Array.from({ length: maxKeys + 10 }, make))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxKeys)
    expect(await refused(make())).toMatchObject({
      status: 400,
      message: 'Validation failed: an account has at most 50 keys',
    })
    await bo.keys.create({ body: { name: 'Another’s first', scopes: ['rooms'] } })
  })

  test.each([
    { name: '', scopes: ['rooms'] },
    { name: 'x'.repeat(101), scopes: ['rooms'] },
    { name: 'None', scopes: [] },
    { name: 'Everything', scopes: ['*'] },
    { name: 'When', scopes: ['rooms'], expiresAt: 'tomorrow' },
  ])('is not created with $name, $scopes', async (body) => {
    expect(await refused(ana.keys.create({ body: body as never }))).toMatchObject({ status: 400 })
    expect(await ana.keys.list()).toEqual([])
  })
})

describe('data that a key returns', () => {
  test('contains nothing of the vault without that scope, also through sessions', async () => {
    const mediaId = Number(await putMedia(ana, await plainJpeg()))
    const slides = [{ mediaId }]
    const { session } = await ana.sessions.createManual({
      body: { title: 'Evening', slides: [{ mediaUrl: 'https://example.org/a.jpg' }] },
    })
    const params = { id: String(session.id) }
    const calls = (program: Person) => [
      () => program.sessions.createManual({ body: { title: 'Mine', slides } }),
      () => program.sessions.replaceMedia({ params, body: { slides } }),
      () => program.sessions.create({ body: { title: 'Mine', subfeeds: 'vault:all' } }),
      () => program.sessions.update({ params, body: { subfeeds: 'vault:all' } }),
    ]
    const writer = await programOf(world, ana, ['sessions:read', 'sessions:write'])
    for (const call of calls(writer))
      expect(await refused(Promise.resolve(call()))).toMatchObject({
        status: 403,
        body: { code: 'SCOPE_MISSING', message: 'This needs a key with the scope media:read' },
      })
    const reader = await programOf(world, ana, ['sessions:write', 'media:read'])
    for (const call of calls(reader)) await call()
  })
})

describe('authentication', () => {
  test('with a key, the cookie is not looked at', async () => {
    const cookie = ana.jar.header()
    const ofBo = await programOf(world, bo, ['sessions:read'])
    await ana.sessions.createManual({
      body: { title: 'Of ana', slides: [{ mediaUrl: 'https://example.org/a.jpg' }] },
    })
    const listed = await ofBo.sessions.list({ headers: { cookie } })
    expect(listed).toEqual([])
    const both = world.visitor({ cookie, authorization: `Bearer lan_${'A'.repeat(43)}` })
    expect(await refused(both.sessions.list())).toMatchObject({ status: 401 })
    // A sign-out with a key ends no sign-in.
    await both.accounts.signOut()
    expect((await ana.accounts.currentUser()).email).toBe('ana@example.test')
  })

  test('another kind of bearer token leaves the cookie in use', async () => {
    const person = world.visitor({ cookie: ana.jar.header(), authorization: 'Bearer other' })
    expect((await person.accounts.currentUser()).email).toBe('ana@example.test')
  })

  test('the cross-site check applies only to cookies', async () => {
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
    const body = { title: 'Far', slides: [{ mediaUrl: 'https://example.org/a.jpg' }] }
    expect(await refused(ana.sessions.createManual({ body, headers: elsewhere }))).toMatchObject({
      status: 403,
      message: 'Cross-site request refused',
    })
    const program = await programOf(world, ana, ['sessions:write'])
    await program.sessions.createManual({ body, headers: elsewhere })
    expect(await ana.sessions.list()).toHaveLength(1)
  })

  test('a public shared session is refused to an invalid key', async () => {
    const { session } = await ana.sessions.createManual({
      body: { title: 'Open', slides: [{ mediaUrl: 'https://example.org/a.jpg' }] },
    })
    const { shareCode } = await ana.sharing.shareSession({
      params: { id: String(session.id) },
      body: { access: 'anyone' },
    })
    const params = { code: shareCode }
    await world.visitor().sharing.open({ params })
    const none = withKey(world, 'lan_none')
    expect(await refused(none.sharing.open({ params }))).toMatchObject({ status: 401 })
    const other = await programOf(world, bo, ['media:read'])
    expect(await refused(other.sharing.open({ params }))).toMatchObject({ status: 403 })
    await (await programOf(world, bo, ['sessions:read'])).sharing.open({ params })
  })

  test('one statement finds the key with its account', async () => {
    const program = await programOf(world, ana, ['sessions:read'])
    await program.sessions.list()
    await ana.sessions.list()
    const byCookie = await statementsOf(() => ana.sessions.list())
    expect(byCookie).toBeGreaterThan(0)
    expect(await statementsOf(() => program.sessions.list())).toBe(byCookie)
  })

  test('a stream that was opened with a key ends with it', async () => {
    const { session } = await ana.sessions.createManual({
      body: { title: 'Heard', slides: [{ mediaUrl: 'https://example.org/a.jpg' }] },
    })
    const { id, key } = await ana.keys.create({ body: { name: 'Ear', scopes: ['sessions:read'] } })
    const response = await fetch(`${world.url}/api/sessions/${session.id}/events`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(response.status).toBe(200)
    const end = response.text()
    await eventually(() => expect(world.ctx.eventHub.size).toBe(1))
    await ana.keys.remove({ params: { id } })
    expect(await end).toContain('event: session')
  })
})

test('limits count for the account, by key or by cookie', async () => {
  const narrow = await createWorld({ RATE_LIMIT_UPLOAD: '2/900' })
  try {
    const person = await narrow.as('ana')
    const program = await programOf(narrow, person, ['media:write'])
    const statuses: number[] = []
    for (const caller of [person, program, program, person])
      statuses.push((await caller.fetch('/api/media/upload', { method: 'POST' })).status)
    expect(statuses.slice(2)).toEqual([429, 429])
    expect(statuses.slice(0, 2)).not.toContain(429)
  } finally {
    await narrow.close()
  }
})

test('an export lists the keys without their secrets', async () => {
  const { key } = await ana.keys.create({ body: { name: 'Backup', scopes: ['media:read'] } })
  const { entries, json } = await exportOf(ana)
  const text = String(entries.get('keys.json'))
  expect(json('keys.json')).toMatchObject([{ name: 'Backup', scopes: ['media:read'] }])
  expect(text).not.toContain('lan_')
  expect(text).not.toContain(key.slice(4))
})

test('a deleted account deletes its keys', async () => {
  const program = await programOf(world, ana, ['sessions:read'])
  await ana.accounts.deleteAccount({ body: { confirm: 'ana@example.test' } })
  expect(await refused(program.sessions.list())).toMatchObject({ status: 401 })
})

test('the OpenAPI document names the scheme, and the scope of each endpoint', async () => {
  const document = JSON.parse(JSON.stringify(await world.visitor().operations.openapi()))
  expect(document.components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' })
  const securityOf = (path: string) => document.paths[path].get.security
  expect(securityOf('/api/sessions')).toEqual([{ signIn: [] }, { key: ['sessions:read'] }])
  expect(securityOf('/api/auth/keys')).toEqual([{ signIn: [] }])
})
