/** Rate limits through the API (contract, section 8). */
import { afterEach, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import { limitOf } from '../../src/contract/endpoint.ts'
import { isByUser } from '../../src/server/http/limits/rate-limit.ts'
import { callEndpoint } from '../support/endpoint-caller.ts'
import { createFakeFeed } from '../support/fake-feed.ts'
import { startMailServer, tokenIn } from '../support/mail-server.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: World | undefined

afterEach(() => world?.close())

const open = async (...settings: Parameters<typeof createWorld>) =>
  (world = await createWorld(...settings))

test('every limited endpoint uses its bucket and returns the remaining requests', async () => {
  const settings = {
    RATE_LIMIT_PUBLIC: '3/900',
    RATE_LIMIT_AUTH: '3/900',
    RATE_LIMIT_FEED: '3/900',
    RATE_LIMIT_CALLBACK: '3/900',
    RATE_LIMIT_WEBHOOK: '3/900',
    RATE_LIMIT_REPORT: '3/900',
    RATE_LIMIT_MAIL: '3/900',
    RATE_LIMIT_ROOM: '3/900',
    RATE_LIMIT_IMPORT: '3/900',
  }
  const world = await open(settings, { feed: createFakeFeed() })
  for (const entry of endpoints) {
    const limit = limitOf(entry.endpoint)
    // Limits by account are tested with their feature: here a visitor gets only 401.
    if (limit && isByUser(limit)) continue
    if (!limit) {
      const { headers } = await callEndpoint(world.visitor(), entry)
      expect(headers.has('x-ratelimit-limit'), entry.name).toBe(false)
      continue
    }
    // Each endpoint is called from a different address, so its bucket is full.
    const ip = `198.51.100.${endpoints.indexOf(entry)}`
    const spender =
      endpoints.find(
        ({ endpoint }) => limitOf(endpoint)?.bucket === limit.bucket && endpoint.body,
      ) ?? entry
    const person = world.visitor({ 'x-forwarded-for': ip })
    for (const remaining of ['2', '1', '0']) {
      // A feed request counts only when it succeeds. The others always count.
      const body = limit.policy === 'feed' ? '{"query":"city"}' : '{'
      const { headers } = await callEndpoint(person, spender, spender.endpoint.body ? { body } : {})
      expect(headers.get('x-ratelimit-limit'), `${entry.name} by ${spender.name}`).toBe('3')
      expect(headers.get('x-ratelimit-remaining')).toBe(remaining)
      expect(Date.parse(headers.get('x-ratelimit-reset') ?? '')).toBeGreaterThan(Date.now())
    }
    const { status, headers, body } = await callEndpoint(person, entry)
    expect({ status, body }).toMatchObject({
      status: 429,
      body: { error: 'Too Many Requests', retryAfter: 300 },
    })
    expect(headers.get('retry-after')).toBe('300')
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
  }
})

test('each administrator has a bucket that counts all their calls', async () => {
  const world = await open({ RATE_LIMIT_ADMIN: '2/900' })
  const [first, second] = [world.visitor(), world.visitor()]
  await first.accounts.devSignIn({ query: { account: '1' } })
  await second.accounts.devSignIn({ query: { account: '2' } })
  const forAdmins = endpoints.filter(({ endpoint }) => endpoint.path.startsWith('/api/admin/'))
  expect(forAdmins.length).toBeGreaterThan(10)
  await first.admin.stats()
  await first.admin.stats()
  for (const entry of forAdmins) {
    const { status, headers } = await callEndpoint(first, entry)
    expect(status, entry.name).toBe(429)
    expect(headers.get('x-ratelimit-limit')).toBe('2')
  }
  await second.admin.stats()
  await first.accounts.currentUser()
})

test('uploads have a bucket for each account that counts each file and each check', async () => {
  const world = await open({ RATE_LIMIT_UPLOAD: '1/900' })
  const [ana, bo] = [await world.as('ana'), await world.as('bo')]
  const file = () => new File(['no picture'], 'a.jpg', { type: 'image/jpeg' })
  const upload = (person: Person) => refused(person.vault.upload({ form: { file: file() } }))
  expect((await upload(ana)).status).toBe(400)
  expect(await upload(ana)).toMatchObject({ status: 429 })
  const hashes = ['0'.repeat(64)]
  expect((await refused(ana.vault.findKnown({ body: { hashes } }))).status).toBe(429)
  expect((await upload(bo)).status).toBe(400)
})

describe('failed sign-ins', () => {
  const wrong = { email: 'ana@example.test', password: 'wrong' }

  test('count by outcome: five failures block, in JSON and as a form', async () => {
    const world = await open({ RATE_LIMIT_AUTH: '5/900' })
    await world.as('ana')
    const visitor = world.visitor({ accept: 'text/html' })
    for (let attempt = 0; attempt < 5; attempt += 1) await visitor.accounts.signIn({ body: wrong })
    const body = { email: 'ana@example.test', password }
    expect((await refused(world.visitor().accounts.signIn({ body }))).status).toBe(429)
    world.clock.advance(180_000)
    await world.visitor().accounts.signIn({ body })
  })

  test('cannot be caused by another site', async () => {
    const world = await open({ RATE_LIMIT_AUTH: '2/900' })
    await world.as('ana')
    const page = world.visitor({ 'sec-fetch-site': 'cross-site' })
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await refused(page.accounts.signIn({ body: wrong }))).status).toBe(403)
    await world.visitor().accounts.signIn({ body: { email: 'ana@example.test', password } })
  })

  test('successes are not counted', async () => {
    const world = await open({ RATE_LIMIT_AUTH: '2/900' })
    await world.as('ana')
    for (let attempt = 0; attempt < 10; attempt += 1)
      await world.visitor().accounts.signIn({ body: { email: 'ana@example.test', password } })
  })

  test('twenty concurrent tries get no more than five', async () => {
    const world = await open({ RATE_LIMIT_AUTH: '5/900' })
    await world.as('ana')
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => refused(world.visitor().accounts.signIn({ body: wrong }))),
    )
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(15)
  })
})

describe('guesses from many addresses', () => {
  const email = 'ana@example.test'
  const right = { email, password }
  const home = { 'x-forwarded-for': '203.0.113.7' }
  const limited = (settings = {}) => open({ RATE_LIMIT_AUTH: '5/900', ...settings })

  /** Sends one wrong password from each of many addresses. Returns how many were checked. */
  async function guess(world: World, address = email): Promise<number> {
    let judged = 0
    for (let host = 1; host <= 40; host += 1) {
      const stranger = world.visitor({ 'x-forwarded-for': `198.51.100.${host}` })
      const body = { email: address, password: `guess ${host}` }
      const { status } = await refused(stranger.accounts.signIn({ body }))
      if (status === 401) judged += 1
      else expect(status).toBe(429)
    }
    return judged
  }

  test('are limited by account, existing or not, and refill', async () => {
    const world = await limited()
    await world.as('ana')
    await world.as('bo')
    for (const address of [email, 'nobody@example.test']) {
      const judged = await guess(world, address)
      expect(judged).toBeGreaterThanOrEqual(20)
      expect(judged).toBeLessThan(30)
    }
    const stranger = world.visitor({ 'x-forwarded-for': '192.0.2.1' })
    expect((await refused(stranger.accounts.signIn({ body: right }))).status).toBe(429)
    const body = { email: 'bo@example.test', password }
    await world.visitor({ 'x-forwarded-for': '192.0.2.2' }).accounts.signIn({ body })
    world.clock.advance(900_000)
    await stranger.accounts.signIn({ body: right })
  })

  test('do not lock the owner out of a browser that has signed in before', async () => {
    const world = await limited()
    const ana = world.visitor({ 'x-forwarded-for': '203.0.113.7' })
    await ana.accounts.register({ body: right })
    const bo = await world.as('bo')
    await ana.accounts.signOut()
    await guess(world)
    const onTheRoad = world.visitor({
      'x-forwarded-for': '203.0.113.99',
      cookie: ana.jar.header(),
    })
    await onTheRoad.accounts.signIn({ body: right })
    // The browser of another account has a valid cookie, but for that account.
    const other = world.visitor({ 'x-forwarded-for': '203.0.113.98', cookie: bo.jar.header() })
    expect((await refused(other.accounts.signIn({ body: right }))).status).toBe(429)
    // With a copied cookie, a thief has as many tries as one address, from any address.
    const tries: number[] = []
    for (let host = 1; host <= 7; host += 1) {
      const thief = world.visitor({
        'x-forwarded-for': `192.0.2.${host}`,
        cookie: ana.jar.header(),
      })
      const body = { email, password: 'wrong' }
      tries.push((await refused(thief.accounts.signIn({ body }))).status)
    }
    expect(tries).toEqual([401, 401, 401, 401, 401, 429, 429])
  })

  test('do not lock the owner out of an address that they have signed in from', async () => {
    const world = await limited()
    await world.visitor(home).accounts.register({ body: right })
    await guess(world)
    await world.visitor(home).accounts.signIn({ body: right })
    const elsewhere = world.visitor({ 'x-forwarded-for': '203.0.113.8' })
    expect((await refused(elsewhere.accounts.signIn({ body: right }))).status).toBe(429)
  })

  test('do not lock the owner out where a mail has let them set a new password', async () => {
    const mails = await startMailServer()
    try {
      const world = await limited(mails.settings)
      await world.as('ana')
      await guess(world)
      const hotel = world.visitor({ 'x-forwarded-for': '203.0.113.50' })
      await hotel.security.forgotPassword({ body: { email } })
      await world.runJobs()
      const newPassword = 'another long password'
      const token = tokenIn(mails.to(email).at(-1))
      await hotel.security.resetPassword({ body: { token, newPassword } })
      await hotel.accounts.signIn({ body: { email, password: newPassword } })
    } finally {
      await mails.close()
    }
  })

  test('of the current password are limited by sign-in, and signing in again frees the owner', async () => {
    const world = await limited()
    const ana = await world.as('ana')
    const statuses: number[] = []
    for (let host = 1; host <= 7; host += 1) {
      const thief = world.visitor({
        'x-forwarded-for': `198.51.100.${host}`,
        cookie: ana.jar.header(),
      })
      const body = { currentPassword: `guess ${host}`, newPassword: 'another long password' }
      statuses.push((await refused(thief.security.changePassword({ body }))).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
    await ana.accounts.signIn({ body: right })
    const body = { currentPassword: password, newPassword: 'another long password' }
    await ana.security.changePassword({ body })
  })
})

test('registrations have their own bucket that counts all of them', async () => {
  const world = await open({ RATE_LIMIT_AUTH: '2/900' })
  await world.as('ana')
  await world.as('bo')
  const body = { email: 'cy@example.test', password }
  expect((await refused(world.visitor().accounts.register({ body }))).status).toBe(429)
  await world.visitor().accounts.signIn({ body: { email: 'ana@example.test', password } })
})

test('X-Forwarded-For is trusted from a trusted proxy only', async () => {
  const settings = { RATE_LIMIT_PUBLIC: '1/900', TRUSTED_PROXIES: 'none' }
  const world = await open(settings)
  const from = (ip: string) => world.visitor({ 'x-forwarded-for': ip }).accounts.currentUser()
  expect((await refused(from('203.0.113.1'))).status).toBe(401)
  expect((await refused(from('203.0.113.2'))).status).toBe(429)
})
