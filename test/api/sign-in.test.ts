/** Signing in and out, by password and as a developer (contract, section 3). */
import { get } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setPassword } from '../../src/server/features/accounts/administration.ts'
import { findSignedInUser } from '../../src/server/features/accounts/sign-ins.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

const activityOf = async (action: string) =>
  await world.ctx.db.selectFrom('activity_log').selectAll().where('action', '=', action).execute()

describe('signing in and out', () => {
  test('JSON and form sign-ins answer 302 to the front page or to a safe redirect', async () => {
    await world.as('ana')
    const credentials = { email: 'ANA@example.test', password }
    const byJson = await world.visitor().fetch('/api/login?redirect=/library', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    })
    expect([byJson.status, byJson.headers.get('location')]).toEqual([302, '/library'])
    const byForm = await world.visitor().fetch('/api/login?redirect=//evil.test', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(credentials),
    })
    expect([byForm.status, byForm.headers.get('location')]).toEqual([302, '/'])
  })

  test('a redirect may hold any letters', async () => {
    await world.as('ana')
    const response = await world.visitor().fetch('/api/login?redirect=/tags/中文', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.test', password }),
    })
    expect(response.headers.get('location')).toBe('/tags/%E4%B8%AD%E6%96%87')
  })

  test('the cookie is HTTP-only, lax, of seven days, and only its hash is stored', async () => {
    await world.as('ana')
    const response = await world.visitor().fetch('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.test', password }),
    })
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^connect\.sid=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
    const secret = cookie.slice('connect.sid='.length).split(/[.;]/)[0] ?? ''
    const { rows } = await sql<{
      text: string
    }>`select sign_ins::text as text from sign_ins`.execute(world.ctx.db)
    for (const { text } of rows) expect(text).not.toContain(secret)
  })

  test('a wrong password and an unknown e-mail fail alike, in the two forms', async () => {
    await world.as('ana')
    for (const body of [
      { email: 'ana@example.test', password: 'wrong' },
      { email: 'nobody@example.test', password },
    ]) {
      const failure = await refused(world.visitor().accounts.signIn({ body }))
      expect(failure).toMatchObject({ status: 401, body: { message: 'Invalid credentials' } })
      const page = await world.visitor().fetch('/api/login', {
        method: 'POST',
        headers: { accept: 'text/html,*/*', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(body),
      })
      expect([page.status, page.headers.get('location')]).toEqual([302, '/login'])
      expect(page.headers.getSetCookie()).toEqual([])
    }
  })

  test('a cookie planted before signing in is useless after it', async () => {
    const ana = await world.as('ana')
    const planted = ana.jar.header()
    await ana.accounts.signIn({ body: { email: 'ana@example.test', password } })
    expect(ana.jar.header()).not.toBe(planted)
    const thief = world.visitor({ cookie: planted })
    expect((await refused(thief.accounts.currentUser())).status).toBe(401)
    const fixed = world.visitor()
    fixed.jar.set('connect.sid', 'chosen-by-the-attacker.signature')
    await fixed.accounts.signIn({ body: { email: 'ana@example.test', password } })
    expect(fixed.jar.get('connect.sid')).not.toContain('chosen-by-the-attacker')
  })

  test('both ways of signing out end the sign-in on the server', async () => {
    for (const leave of [
      (person: Person) => person.accounts.signOut(),
      (person: Person) => person.accounts.signOutByLink(),
    ]) {
      const person = world.visitor()
      await person.accounts.devSignIn({ query: { account: '2' } })
      const cookie = person.jar.header()
      await leave(person)
      expect(person.jar.get('connect.sid')).toBeUndefined()
      const replay = world.visitor({ cookie })
      expect(await refused(replay.accounts.currentUser())).toMatchObject({
        status: 401,
        body: { message: 'Unauthorized' },
      })
    }
  })

  test('the link signs out a person who navigates there, but not one whose page only loads it', async () => {
    const ana = await world.as('ana')
    for (const dest of ['image', 'video', 'iframe', 'embed', 'script', 'empty']) {
      const loaded = await ana.fetch('/api/logout', { headers: { 'sec-fetch-dest': dest } })
      expect([loaded.status, loaded.headers.getSetCookie()], dest).toEqual([302, []])
      await ana.accounts.currentUser()
    }
    await ana.fetch('/api/logout', { headers: { 'sec-fetch-dest': 'document' } })
    expect((await refused(ana.accounts.currentUser())).status).toBe(401)
  })

  test('concurrent requests are each attributed to their own visitor, also after a sign-out', async () => {
    const names = ['ana', 'bo', 'cy', 'dee', 'eli']
    const people = await Promise.all(names.map((name) => world.as(name)))
    const cookies = people.map(({ jar }) => ({ 'connect.sid': jar.get('connect.sid') }))
    await people[4]?.accounts.signOutByLink()
    const ids = await Promise.all(
      people.map(async (person, n) =>
        n < 4 ? (await person.accounts.currentUser()).id : undefined,
      ),
    )
    // Calls the lookup directly, without sockets, so that all calls are in one batch.
    const known = await Promise.all(
      [...cookies, ...cookies].map((cookie) => findSignedInUser(world.ctx, cookie)),
    )
    expect(known.map((user) => user?.id)).toEqual([...ids, ...ids])
  })

  test('a sign-in ends seven days after its last renewal, and is renewed once a day', async () => {
    const ana = await world.as('ana')
    const day = 24 * 3600 * 1000
    world.clock.advance(day / 2)
    const early = await ana.fetch('/api/auth/user')
    expect(early.headers.getSetCookie()).toEqual([])
    world.clock.advance(day)
    const renewed = await ana.fetch('/api/auth/user')
    expect(renewed.headers.getSetCookie()[0]).toMatch(/^connect\.sid=.*Max-Age=604800/)
    world.clock.advance(6.5 * day)
    await ana.accounts.currentUser()
    world.clock.advance(7 * day)
    expect((await refused(ana.accounts.currentUser())).status).toBe(401)
  })

  test('expired sign-ins are swept', async () => {
    const ana = await world.as('ana')
    await ana.accounts.currentUser()
    world.clock.advance(8 * 24 * 3600 * 1000)
    await world.ctx.queue.send(world.ctx.db, 'sweep-sign-ins', {}, {})
    expect(await world.runJobs()).toBe(1)
    expect(await world.ctx.db.selectFrom('sign_ins').selectAll().execute()).toEqual([])
  })

  test('an inactive account can neither sign in nor continue', async () => {
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    await world.ctx.db
      .updateTable('users')
      .set({ is_active: false })
      .where('email', '=', 'ana@example.test')
      .execute()
    const disabled = { status: 403, body: { message: 'Account is disabled' } }
    expect(await refused(ana.accounts.currentUser())).toMatchObject(disabled)
    const body = { email: 'ana@example.test', password }
    expect(await refused(world.visitor().accounts.signIn({ body }))).toMatchObject(disabled)
    expect((await bo.accounts.currentUser()).email).toBe('bo@example.test')
  })

  test('logins are logged with address and browser', async () => {
    const ana = world.visitor({ 'user-agent': 'a test', 'x-forwarded-for': '203.0.113.9' })
    const { id } = await ana.accounts.register({ body: { email: 'ana@example.test', password } })
    expect(await activityOf('login')).toMatchObject([
      {
        user_id: id,
        feature: 'authentication',
        ip_address: '203.0.113.9',
        user_agent: 'a test',
      },
    ])
  })
})

describe('development accounts', () => {
  test('the three are seeded as age-verified administrators', async () => {
    for (const account of [1, 2, 3]) {
      const developer = world.visitor()
      await developer.accounts.signIn({
        body: { email: `dev${account}@example.test`, password: `dev-password-${account}` },
      })
      expect(await developer.accounts.currentUser()).toMatchObject({
        id: `dev-user-${account}`,
        role: 'admin',
        ageVerified: true,
      })
    }
  })

  test('GET /api/login signs in as the first, dev-login as the chosen one', async () => {
    const first = world.visitor()
    await first.accounts.startSignIn({ query: { redirect: '/library' } })
    expect((await first.accounts.currentUser()).id).toBe('dev-user-1')
    const third = world.visitor()
    await third.accounts.devSignIn({ query: { account: '3' } })
    expect((await third.accounts.currentUser()).id).toBe('dev-user-3')
    expect((await refused(third.accounts.devSignIn({ query: { account: '4' } }))).status).toBe(400)
  })

  test('sign in only from this machine, also through a proxy on it', async () => {
    const near: Record<string, string>[] = [
      {},
      { 'x-forwarded-for': '127.0.0.1', via: '1.1 proxy' },
      { 'x-forwarded-for': '::1, 127.0.0.1' },
    ]
    const far: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '192.168.1.5' },
      // Written by a visitor; a proxy appended the address that it saw.
      { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
      { 'x-forwarded-for': 'unknown' },
      { 'x-real-ip': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { 'x-forwarded-proto': 'https' },
    ]
    const body = { email: 'dev1@example.test', password: 'dev-password-1' }
    const landing = async (headers: Record<string, string>) =>
      (await world.visitor(headers).fetch('/api/login?redirect=/a')).headers.get('location')
    for (const headers of near) {
      await world.visitor(headers).accounts.signIn({ body })
      await world.visitor(headers).accounts.devSignIn()
      expect(await landing(headers)).toBe('/a')
    }
    for (const headers of far) {
      const visitor = world.visitor(headers)
      expect(await refused(visitor.accounts.signIn({ body }))).toMatchObject({
        status: 401,
        body: { message: 'Invalid credentials' },
      })
      expect((await refused(visitor.accounts.devSignIn())).status).toBe(404)
      expect(await landing(headers)).toBe('/login?redirect=%2Fa')
      await visitor.accounts.startSignIn()
      expect((await refused(visitor.accounts.currentUser())).status).toBe(401)
    }
  })

  test('a password that was set later does not work from another machine either', async () => {
    await setPassword(world.ctx, 'dev1@example.test', password)
    const body = { email: 'dev1@example.test', password }
    const far = world.visitor({ 'x-forwarded-for': '203.0.113.9' })
    expect((await refused(far.accounts.signIn({ body }))).status).toBe(401)
    await world.visitor().accounts.signIn({ body })
  })
})

describe('a development start', () => {
  const statusUnder = (host: string, path: string) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const asked = get(`${world.url}${path}`, { headers: { host } }, (answer) => {
        let said = ''
        answer.on('data', (chunk: Buffer) => void (said += chunk.toString()))
        answer.on('end', () => resolve([answer.statusCode, said]))
      })
      asked.on('error', reject)
    })

  test('answers to the names of its machine and of BASE_URL, and to no other', async () => {
    const known = ['localhost', 'LOCALHOST:5000', 'lamp.localhost', '127.0.0.1:1', '[::1]:5000']
    for (const host of [...known, 'lanternist.test'])
      expect((await statusUnder(host, '/healthz'))[0], host).toBe(200)
    const unknown = ['evil.test', 'evil.test:5000', 'localhost.evil.test', '192.168.1.5', 'a b']
    for (const host of unknown)
      for (const path of ['/healthz', '/api/login', '/media/x', '/', '/nowhere'])
        expect(await statusUnder(host, path), host).toEqual([403, '{"message":"Unknown host"}'])
  })
})
