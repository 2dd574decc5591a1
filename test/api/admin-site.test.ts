/** Settings, texts, the log and the statistics for administrators (contract 4.10). */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import { changesLogged, withRole } from '../support/admin-world.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import { pngFile, upload, userIdOf } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

const isServer = engine === 'postgres'
let world: World
let other: World
let ana: Person
let admin: Person

beforeAll(async () => {
  // The embedded database has one process, so one node.
  const url = isServer ? await copyTemplate() : null
  const settings = { SESSION_SECRET: 'one secret for both of the nodes' }
  const open = async () =>
    createWorld(settings, url ? { database: await connectToServer(url) } : {})
  world = await open()
  other = isServer ? await open() : world
})
beforeEach(async () => {
  await world.reset()
  ana = await world.as('ana')
  admin = await withRole(world, 'ada', 'admin')
})
afterAll(async () => {
  await world.close()
  if (isServer) await other.close()
})

describe('settings', () => {
  const defaults = {
    uploadLimitMb: 100,
    lowBalanceThreshold: 20,
    enhancementPrimary: 'default',
    keepPurchasedCredits: false,
    registration: 'open',
    dailyBonus: 5,
    credits: 'on',
    siteName: 'Lanternist',
    quotaMb: { free: 5120, joi_curious: 51_200, full_access: 102_400, vip: 204_800 },
    tierNames: { free: 'Free', joi_curious: 'Plus', full_access: 'Full access', vip: 'Patron' },
    publicCommunity: true,
  }

  test('are changed one by one, and logged', async () => {
    expect(await admin.admin.settings()).toEqual(defaults)
    const body = { dailyBonus: 7, lowBalanceThreshold: 60 }
    expect(await admin.admin.changeSettings({ body })).toEqual({ ...defaults, ...body })
    expect(await admin.admin.settings()).toEqual({ ...defaults, ...body })
    expect((await changesLogged(world))[0]).toMatchObject({
      userId: await userIdOf(admin),
      details: { settings: body },
    })
  })

  test('change only the quotas in the request', async () => {
    await admin.admin.changeSettings({ body: { quotaMb: { free: 7 } } })
    await admin.admin.changeSettings({ body: { quotaMb: { vip: 0 } } })
    const quotaMb = { ...defaults.quotaMb, free: 7, vip: 0 }
    expect(await admin.admin.settings()).toEqual({ ...defaults, quotaMb })
    for (const free of [-1, 1.5, 1_000_000_001])
      expect(
        await refused(admin.admin.changeSettings({ body: { quotaMb: { free } } })),
      ).toMatchObject({ status: 400 })
    expect(await refused(admin.admin.changeSettings({ body: { quotaMb: {} } }))).toMatchObject({
      status: 400,
    })
  })

  test('rename the plans everywhere they are shown', async () => {
    await admin.admin.changeSettings({ body: { tierNames: { vip: ' Circle ' } } })
    const tierNames = { ...defaults.tierNames, vip: 'Circle' }
    expect(await admin.admin.settings()).toEqual({ ...defaults, tierNames })
    expect((await other.visitor().site.read()).tierNames).toEqual(tierNames)
    const { tiers } = await ana.payments.packages()
    expect(Object.fromEntries(tiers.map(({ id, name }) => [id, name]))).toEqual(tierNames)
  })

  test('count at once on every node', async () => {
    const there = other.visitor({ cookie: ana.jar.header() })
    const change = (body: Partial<typeof defaults>) =>
      admin.admin.changeSettings({ body: body as {} })
    expect((await there.credits.balance()).isLowBalance).toBe(false)
    await change({ lowBalanceThreshold: 51, dailyBonus: 9, registration: 'closed' })
    expect((await there.credits.balance()).isLowBalance).toBe(true)
    expect((await there.accounts.currentUser()).credits.isLowBalance).toBe(true)
    expect((await there.credits.bonusStatus()).amount).toBe(9)
    const bo = { body: { email: 'bo@example.test', password } }
    expect((await refused(other.visitor().accounts.register(bo))).status).toBe(403)
    await change({ registration: 'open', dailyBonus: 0, uploadLimitMb: 1 })
    await other.visitor().accounts.register(bo)
    expect((await refused(there.credits.claimBonus())).status).toBe(403)
    const large = new File([await pngFile().bytes(), new Uint8Array(1_100_000)], 'large.png', {
      type: 'image/png',
    })
    const tooLarge = await refused(there.vault.upload({ form: { file: large } }))
    expect(tooLarge.body).toMatchObject({ error: 'FILE_TOO_LARGE' })
  })

  test.each([
    {},
    { unknown: 1 },
    { uploadLimitMb: 0 },
    { uploadLimitMb: 1.5 },
    { uploadLimitMb: '100' },
    { dailyBonus: -1 },
    { dailyBonus: 1e9 },
    { registration: 'maybe' },
    { enhancementPrimary: 'provider_b' },
    { keepPurchasedCredits: 'yes' },
    { publicCommunity: 'yes' },
    { publicCommunity: null },
    { dailyBonus: 6, uploadLimitMb: null },
    { tierNames: {} },
    { tierNames: { vip: ' ' } },
    { tierNames: { vip: 'x'.repeat(41) } },
  ])('refuse %j, and stay as they were', async (body) => {
    expect((await refused(admin.admin.changeSettings({ body: body as {} }))).status).toBe(400)
    expect(await admin.admin.settings()).toEqual(defaults)
    expect(await changesLogged(world)).toEqual([])
  })
})

describe('tags', () => {
  test('are added and renamed, each with a unique slug', async () => {
    const slug = `test-${Date.now()}`
    const body = { slug, label: 'Test', description: 'A test' }
    expect(await admin.admin.createTag({ body })).toEqual(body)
    expect((await refused(admin.admin.createTag({ body }))).body).toMatchObject({
      code: 'ALREADY_EXISTS',
    })
    const params = { slug }
    expect(await admin.admin.changeTag({ params, body: { label: 'Tested' } })).toEqual({
      ...body,
      label: 'Tested',
    })
    expect((await world.visitor().classification.tags()).at(-1)).toMatchObject({ slug })
    const unknown = { params: { slug: 'no-such-tag' }, body: { label: 'x' } }
    expect((await refused(admin.admin.changeTag(unknown))).status).toBe(404)
    const odd = { params: { slug: 'Not A Slug' }, body: { label: 'x' } }
    expect((await refused(admin.admin.changeTag(odd))).message).toBe('Invalid ID')
    const [change, creation] = await changesLogged(world)
    expect(change?.details).toEqual({ tag: slug, changed: { label: 'Tested' } })
    expect(creation?.details).toEqual({ tag: slug, created: body })
  })

  test.each(['', 'With Space', 'UPPER', '-a', 'a--b', 'a_b', 'é', 'x'.repeat(121)])(
    'have no slug %j',
    async (slug) => {
      const body = { slug, label: 'x' }
      expect((await refused(admin.admin.createTag({ body }))).status).toBe(400)
      expect(
        (await refused(admin.admin.createCategory({ body: { slug, name: 'x' } }))).status,
      ).toBe(400)
    },
  )

  test('are listed page by page in their order', async () => {
    const all = await world.visitor().classification.tags()
    const first = await admin.admin.tags({ query: { limit: '10' } })
    const second = await admin.admin.tags({
      query: { limit: '100', cursor: first.nextCursor ?? '' },
    })
    expect([...first.items, ...second.items]).toEqual(all)
    expect(second.nextCursor).toBeNull()
  })
})

describe('categories', () => {
  test('are added and changed, each with a unique slug; the default category cannot be changed', async () => {
    const slug = `test-${Date.now()}`
    const made = await admin.admin.createCategory({ body: { slug, name: 'Test' } })
    expect(made).toMatchObject({ slug, name: 'Test', isDefault: false })
    const twice = admin.admin.createCategory({ body: { slug, name: 'Again' } })
    expect((await refused(twice)).body).toMatchObject({ code: 'ALREADY_EXISTS' })
    const params = { id: String(made.id) }
    const renamed = { slug: `${slug}-b`, name: 'Tested' }
    expect(await admin.admin.changeCategory({ params, body: renamed })).toMatchObject(renamed)
    const taken = admin.admin.changeCategory({ params, body: { slug: 'story' } })
    expect((await refused(taken)).body).toMatchObject({ code: 'ALREADY_EXISTS' })
    const all = await world.visitor().classification.categories()
    const standard = all.find(({ isDefault }) => isDefault)
    const change = { params: { id: String(standard?.id) }, body: { slug: 'other' } }
    expect((await refused(admin.admin.changeCategory(change))).status).toBe(409)
    const nobody = { params: { id: '999999' }, body: { name: 'x' } }
    expect((await refused(admin.admin.changeCategory(nobody))).status).toBe(404)
    const listed = await admin.admin.categories({ query: { limit: '100' } })
    expect(listed).toEqual({ items: all, nextCursor: null })
  })

  test('two that want one slug at the same moment: one has it', async () => {
    const now = Date.now()
    const make = (name: string) => admin.admin.createCategory({ body: { slug: name, name } })
    const [one, two] = [await make(`one-${now}`), await make(`two-${now}`)]
    const there = other.visitor({ cookie: admin.jar.header() })
    const outcomes = await Promise.allSettled([
      admin.admin.changeCategory({ params: { id: String(one.id) }, body: { slug: `x-${now}` } }),
      there.admin.changeCategory({ params: { id: String(two.id) }, body: { slug: `x-${now}` } }),
      there.admin.createCategory({ body: { slug: `x-${now}`, name: 'x' } }),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('the log', () => {
  test('is listed by user and by action, newest first, page by page', async () => {
    const bo = await world.as('bo')
    const [anaId, boId] = [await userIdOf(ana), await userIdOf(bo)]
    for (const firstName of ['A', 'B', 'C'])
      for (const person of [ana, bo]) await person.accounts.updateProfile({ body: { firstName } })
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const query = { userId: anaId, action: 'profile_updated', limit: '2' }
      const page = await admin.admin.activity({ query: { ...query, ...(cursor && { cursor }) } })
      expect(page.items.every(({ userId }) => userId === anaId)).toBe(true)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toHaveLength(3)
    expect(seen).toEqual(seen.toSorted((a, b) => b - a))
    const logins = await admin.admin.activity({ query: { action: 'login' } })
    expect(logins.items.map(({ userId }) => userId)).toContain(boId)
    expect(logins.items.every(({ action }) => action === 'login')).toBe(true)
    expect((await refused(admin.admin.activity({ query: { cursor: 'x' } }))).status).toBe(400)
  })
})

describe('the statistics', () => {
  test('show the state of the site', async () => {
    await upload(ana)
    await ana.sessions.create({ body: { title: 'One', subfeeds: 'pictures' } })
    const stats = await admin.admin.stats()
    expect(stats.users).toEqual({ total: 5, active: 5, newInDays: 5 })
    expect(stats.sessions).toEqual({ total: 1, published: 0 })
    expect(stats.credits).toEqual({ in: 250, out: 25, outstanding: 225 })
    expect(stats.storage).toMatchObject({ files: 1, toBeRemoved: 0 })
    expect(stats.storage.bytes).toBeGreaterThan(50)
    expect(stats.jobs.waiting).toBeGreaterThanOrEqual(2)
    expect(stats.jobs).toMatchObject({ running: 0, failed: 0, deadLetters: 0 })
    expect(stats.ledger).toEqual({ checked: 5, unbalanced: [] })
  })

  test('list the accounts whose transactions do not add up to their balance', async () => {
    const anaId = await userIdOf(ana)
    await sql`update credit_accounts set balance = balance + 1 where user_id = ${anaId}`.execute(
      world.ctx.db,
    )
    expect((await admin.admin.stats()).ledger.unbalanced).toEqual([anaId])
  })

  test('count the credits of the last days only', async () => {
    world.clock.advance(31 * 24 * 3600 * 1000)
    await ana.accounts.signIn({ body: { email: 'ana@example.test', password } })
    await admin.accounts.signIn({ body: { email: 'ada@example.test', password } })
    expect((await admin.admin.stats()).credits).toMatchObject({ in: 0, out: 0, outstanding: 250 })
  })
})

test('ordinary accounts have no access', async () => {
  const calls = [
    ana.admin.users(),
    ana.admin.settings(),
    ana.admin.changeSettings({ body: { dailyBonus: 1000 } }),
    ana.admin.tags(),
    ana.admin.createTag({ body: { slug: 'mine', label: 'Mine' } }),
    ana.admin.changeTag({ params: { slug: 'nature' }, body: { label: 'Mine' } }),
    ana.admin.categories(),
    ana.admin.createCategory({ body: { slug: 'mine', name: 'Mine' } }),
    ana.admin.changeCategory({ params: { id: '2' }, body: { name: 'Mine' } }),
    ana.admin.activity(),
    ana.admin.stats(),
  ]
  for (const { message } of await Promise.all(calls.map(refused))) expect(message).toBe('Forbidden')
})
