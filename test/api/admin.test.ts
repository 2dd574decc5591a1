/** User administration: how administrators find and change accounts (contract 3.10, 4.10). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectToServer } from '../../src/server/database/server.ts'
import { changesLogged, emailOf, withRole } from '../support/admin-world.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import { userIdOf } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

const isServer = engine === 'postgres'
let world: World
let other: World
let ana: Person
let admin: Person
let root: Person
let anaId: string

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
  anaId = await userIdOf(ana)
  admin = await withRole(world, 'ada', 'admin')
  root = await withRole(world, 'rut', 'super_admin')
})
afterAll(async () => {
  await world.close()
  if (isServer) await other.close()
})

describe('charges of an account', () => {
  const params = () => ({ id: anaId })

  test('are the same as for the account itself, and each read is logged', async () => {
    await ana.sessions.create({ body: { title: 'Evening', subfeeds: 'city' } })
    for (const query of [{}, { type: 'spend' as const }, { page: '2', limit: '1' }])
      expect(await admin.credits.accountTransactions({ params: params(), query })).toEqual(
        await ana.credits.transactions({ query }),
      )
    const { items } = await admin.admin.activity({ query: { userId: anaId } })
    expect(items[0]).toMatchObject({
      action: 'admin_changed',
      targetUserId: anaId,
      details: { transactionsRead: { page: 2, limit: 1 } },
    })
  })

  test('are only for administrators, and only of existing accounts', async () => {
    const bo = await world.as('bo')
    for (const [person, status] of [
      [world.visitor(), 401],
      [ana, 403],
      [bo, 403],
    ] as const)
      expect(await refused(person.credits.accountTransactions({ params: params() }))).toMatchObject(
        {
          status,
        },
      )
    const nobody = admin.credits.accountTransactions({ params: { id: 'nobody' } })
    expect((await refused(nobody)).status).toBe(404)
    const noId = admin.credits.accountTransactions({ params: { id: 'no id' } })
    expect((await refused(noId)).status).toBe(400)
    for (const query of [{ page: '0' }, { limit: '101' }, { type: 'gift' as never }])
      expect(
        await refused(admin.credits.accountTransactions({ params: params(), query })),
      ).toMatchObject({ status: 400 })
  })
})

describe('a refund', () => {
  async function charged(person: Person) {
    await person.sessions.create({ body: { title: 'Evening', subfeeds: 'city' } })
    const { transactions } = await person.credits.transactions()
    const [debit] = transactions
    if (debit?.type !== 'spend') throw new Error('nothing was charged')
    return { amount: debit.amount, params: { id: String(debit.id) } }
  }
  const body = { reason: 'The pictures were upside down' }

  test('by two administrators at once happens once, and is logged', async () => {
    const { params, amount } = await charged(ana)
    const there = other.visitor({ cookie: root.jar.header() })
    const refunds = await Promise.allSettled(
      [admin, there, admin, there].map((person) => person.credits.refund({ params, body })),
    )
    expect(refunds.filter(({ status }) => status === 'fulfilled')).toMatchObject([
      { value: { balance: 50 } },
    ])
    expect(await refused(admin.credits.refund({ params, body }))).toMatchObject({
      status: 400,
      body: { code: 'ALREADY_EXISTS' },
    })
    const { transactions } = await ana.credits.transactions({ query: { type: 'refund' } })
    expect(transactions).toMatchObject([{ amount: -amount, description: body.reason }])
    const logged = await changesLogged(world)
    expect(logged).toHaveLength(1)
    expect(logged[0]).toMatchObject({
      targetUserId: anaId,
      details: { refund: { ...body, transactionId: Number(params.id), amount: -amount } },
    })
  })

  test('needs another account’s debit, an administrator and a reason', async () => {
    const own = await charged(admin)
    expect((await refused(admin.credits.refund({ ...own, body }))).status).toBe(403)
    const { params } = await charged(ana)
    for (const [person, status] of [
      [world.visitor(), 401],
      [ana, 403],
    ] as const)
      expect((await refused(person.credits.refund({ params, body }))).status).toBe(status)
    for (const reason of [' ', 'x'.repeat(201)])
      expect((await refused(admin.credits.refund({ params, body: { reason } }))).status).toBe(400)
    const { transactions } = await ana.credits.transactions({ query: { type: 'grant' } })
    for (const id of [transactions[0]?.id, 2_147_483_647])
      expect(
        (await refused(admin.credits.refund({ params: { id: String(id) }, body }))).status,
      ).toBe(404)
    expect(await changesLogged(world)).toEqual([])
  })
})

describe('the list of people', () => {
  test('lists everybody once, newest first, in pages', async () => {
    // All accounts have the same creation time, as after an import.
    const createdAt = world.clock.now()
    await world.ctx.db.updateTable('users').set({ created_at: createdAt }).execute()
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const query = { limit: '2', ...(cursor && { cursor }) }
      const page = await admin.admin.users({ query })
      expect(page.items.length).toBeLessThanOrEqual(2)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    const all = await world.ctx.db.selectFrom('users').select('id').execute()
    expect(seen).toHaveLength(all.length)
    expect(seen.toSorted()).toEqual(all.map(({ id }) => id).toSorted())
    expect(seen).toEqual(seen.toSorted().toReversed())
  })

  test('is searched by part of an e-mail or a name, or by the whole id', async () => {
    const found = async (q: string) =>
      (await admin.admin.users({ query: { q } })).items.map(({ email }) => email)
    expect(await found('ANA@')).toEqual([emailOf('ana')])
    expect(await found(anaId)).toEqual([emailOf('ana')])
    expect(await found('%')).toEqual([])
    expect(await found('dev')).toHaveLength(3)
    const [listed] = (await admin.admin.users({ query: { q: anaId } })).items
    expect(listed).toMatchObject({ id: anaId, tier: 'free', balance: 50, underAge: false })
  })

  test('refuses a cursor that the list did not return', async () => {
    for (const cursor of ['x', 'W10', Buffer.from('["a","b"]').toString('base64url')])
      expect((await refused(admin.admin.users({ query: { cursor } }))).status).toBe(400)
    expect((await refused(admin.admin.users({ query: { limit: '101' } }))).status).toBe(400)
  })
})

describe('changing an account', () => {
  test('takes effect at once: the tier, the age, and whether the account may sign in', async () => {
    const params = { id: anaId }
    const changed = await admin.admin.changeUser({
      params,
      body: { tier: 'vip', ageVerified: true },
    })
    expect(changed).toMatchObject({ id: anaId, tier: 'vip', ageVerified: true, balance: 50 })
    const { ageVerified, credits } = await ana.accounts.currentUser()
    expect([ageVerified, credits.tier, credits.balance]).toEqual([true, 'vip', 50])
    expect(await admin.admin.changeUser({ params, body: { tier: 'free' } })).toMatchObject({
      tier: 'free',
    })
  })

  test('is logged with all changed values and the account', async () => {
    await admin.admin.changeUser({ params: { id: anaId }, body: { isActive: false } })
    const [logged] = await changesLogged(world)
    expect(logged).toEqual({
      userId: await userIdOf(admin),
      targetUserId: anaId,
      feature: 'administration',
      details: { isActive: false },
    })
    const { items } = await admin.admin.activity({ query: { userId: anaId } })
    expect(items[0]).toMatchObject({ action: 'admin_changed', targetUserId: anaId })
  })

  test('a disabled account is signed out everywhere at once, and cannot come back', async () => {
    const elsewhere = other.visitor({ cookie: ana.jar.header() })
    expect((await elsewhere.accounts.currentUser()).id).toBe(anaId)
    const params = { id: anaId }
    await admin.admin.changeUser({ params, body: { isActive: false } })
    for (const person of [ana, elsewhere])
      expect((await refused(person.accounts.currentUser())).status).toBe(401)
    const again = { body: { email: emailOf('ana'), password } }
    expect((await refused(world.visitor().accounts.signIn(again))).message).toBe(
      'Account is disabled',
    )
    await admin.admin.changeUser({ params, body: { isActive: true } })
    await ana.accounts.signIn(again)
    expect((await ana.accounts.currentUser()).id).toBe(anaId)
  })

  test('only an administrator can lift a refusal for being a minor', async () => {
    const year = world.clock.now().getUTCFullYear() - 15
    const minor = { body: { birthDate: `${year}-01-01`, ageVerified: true } }
    const adult = { body: { birthDate: '1990-01-01', ageVerified: true } }
    expect((await refused(ana.accounts.verifyAge(minor))).status).toBe(403)
    expect((await refused(ana.accounts.verifyAge(adult))).status).toBe(403)
    const params = { id: anaId }
    expect(await admin.admin.changeUser({ params, body: { ageVerified: false } })).toMatchObject({
      underAge: true,
    })
    expect(await admin.admin.changeUser({ params, body: { ageVerified: true } })).toMatchObject({
      underAge: false,
      ageVerified: true,
    })
  })

  test('refuses a change that changes nothing, and unknown accounts', async () => {
    const params = { id: anaId }
    for (const body of [{}, { balance: 1000 }, { role: 'god' }, { isActive: 'no' }])
      expect((await refused(root.admin.changeUser({ params, body: body as {} }))).status).toBe(400)
    const nobody = { params: { id: 'nobody' }, body: { isActive: false } }
    expect((await refused(admin.admin.changeUser(nobody))).status).toBe(404)
    const odd = { params: { id: 'no one!' }, body: { isActive: false } }
    expect((await refused(admin.admin.changeUser(odd))).message).toBe('Invalid ID')
    expect(await changesLogged(world)).toEqual([])
  })
})

describe('roles', () => {
  const role = (person: Person, id: string, to: 'user' | 'admin' | 'super_admin') =>
    person.admin.changeUser({ params: { id }, body: { role: to } })

  test('are changed only by super_admins, and never their own', async () => {
    const [adminId, rootId] = [await userIdOf(admin), await userIdOf(root)]
    expect((await refused(role(ana, anaId, 'admin'))).status).toBe(403)
    expect((await refused(role(admin, anaId, 'admin'))).status).toBe(403)
    expect((await refused(role(admin, adminId, 'super_admin'))).status).toBe(403)
    expect((await refused(role(root, rootId, 'admin'))).status).toBe(403)
    expect(await changesLogged(world)).toEqual([])
    expect(await role(root, anaId, 'admin')).toMatchObject({ role: 'admin' })
    expect((await ana.admin.settings()).dailyBonus).toBe(5)
    await role(root, anaId, 'user')
    expect((await refused(ana.admin.settings())).status).toBe(403)
  })

  test('an administrator cannot change a super_admin', async () => {
    const params = { id: await userIdOf(root) }
    const changes = [{ isActive: false }, { tier: 'free' }, { ageVerified: false }] as const
    for (const body of changes)
      expect((await refused(admin.admin.changeUser({ params, body }))).status).toBe(403)
    expect((await root.accounts.currentUser()).isActive).toBe(true)
  })

  test('the last super_admin cannot be removed', async () => {
    const rootId = await userIdOf(root)
    const ends = { params: { id: rootId }, body: { isActive: false } }
    expect((await refused(root.admin.changeUser(ends))).status).toBe(409)
    const second = await withRole(world, 'sam', 'super_admin')
    await second.admin.changeUser(ends)
    const params = { id: await userIdOf(second) }
    const last = await refused(second.admin.changeUser({ params, body: { isActive: false } }))
    expect(last.message).toBe('The last super_admin cannot be lost')
  })

  test('when two super_admins demote each other at once, one stays', async () => {
    const second = await withRole(world, 'sam', 'super_admin')
    const [rootId, secondId] = [await userIdOf(root), await userIdOf(second)]
    const there = other.visitor({ cookie: second.jar.header() })
    const outcomes = await Promise.allSettled([
      role(root, secondId, 'user'),
      role(there, rootId, 'user'),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const left = await world.ctx.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'super_admin')
      .execute()
    expect(left).toHaveLength(1)
  })
})
