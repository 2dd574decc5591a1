/** The list of an account's sign-ins, and ending them (contract, section 14). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

async function signInFrom(headers: Record<string, string>): Promise<Person> {
  const person = world.visitor(headers)
  await person.accounts.signIn({ body: { email: 'ana@example.test', password } })
  return person
}

test('lists the caller’s sign-ins, the latest first, to five minutes', async () => {
  const ana = await world.as('ana')
  await world.as('ben')
  world.clock.advance(60_000)
  const phone = await signInFrom({ 'user-agent': 'A phone', 'x-forwarded-for': '198.51.100.7' })
  const [newer, older, ...others] = await phone.security.listSignIns()
  expect(others).toEqual([])
  expect(newer).toMatchObject({
    ipAddress: '198.51.100.7',
    userAgent: 'A phone',
    isCurrent: true,
    kind: 'browser',
  })
  expect(older).toMatchObject({ isCurrent: false, kind: 'browser' })
  const seenAt = async () => (await phone.security.listSignIns()).map((one) => one.lastSeenAt)
  const before = await seenAt()
  world.clock.advance(3 * 60_000)
  await ana.accounts.currentUser()
  expect(await seenAt()).toEqual(before)
  world.clock.advance(3 * 60_000)
  await ana.accounts.currentUser()
  const [first] = await ana.security.listSignIns()
  expect(first).toMatchObject({ id: older?.id, isCurrent: true })
  expect(Date.parse(first?.lastSeenAt ?? '')).toBeGreaterThan(Date.parse(older?.lastSeenAt ?? ''))
})

test('ends one of the caller’s; another’s, an ended and an unknown one are not found', async () => {
  const [ana, ben] = [await world.as('ana'), await world.as('ben')]
  const phone = await signInFrom({})
  const other = (await ana.security.listSignIns()).find(({ isCurrent }) => !isCurrent)
  const id = other?.id ?? ''
  const notFound = { status: 404, body: { message: 'Sign-in not found' } }
  expect(await refused(ben.security.endSignIn({ params: { id } }))).toMatchObject(notFound)
  await phone.accounts.currentUser()
  await ana.security.endSignIn({ params: { id } })
  expect((await refused(phone.accounts.currentUser())).status).toBe(401)
  expect(await refused(ana.security.endSignIn({ params: { id } }))).toMatchObject(notFound)
  expect(await refused(ana.security.endSignIn({ params: { id: 'made-up' } }))).toMatchObject(
    notFound,
  )
  await ana.accounts.currentUser()
  const log = await world.ctx.db
    .selectFrom('activity_log')
    .selectAll()
    .where('action', '=', 'sign_in_ended')
    .execute()
  expect(log).toMatchObject([{ feature: 'authentication', details: { which: 'one' } }])
})

test('ending the current one clears the cookie', async () => {
  const ana = await world.as('ana')
  const [current] = await ana.security.listSignIns()
  await ana.security.endSignIn({ params: { id: current?.id ?? '' } })
  expect(ana.jar.get('connect.sid')).toBeUndefined()
})

test('ends all other sign-ins of the account, and none of other accounts', async () => {
  const [ana, ben] = [await world.as('ana'), await world.as('ben')]
  const others = [await signInFrom({}), await signInFrom({})]
  await ana.security.endOtherSignIns()
  for (const other of others) expect((await refused(other.accounts.currentUser())).status).toBe(401)
  await ana.accounts.currentUser()
  await ben.accounts.currentUser()
  expect(await ana.security.listSignIns()).toHaveLength(1)
})

describe('adding a sign-in method, and deleting the account', () => {
  const email = 'ana@example.test'
  const actions: Record<string, (person: Person, proof: Proof) => Promise<unknown>> = {
    'a passkey': (person, proof) => person.passkeys.registrationOptions({ body: proof }),
    'a second factor': (person, proof) => person.secondFactor.begin({ body: proof }),
    'a key': (person, proof) =>
      person.keys.create({ body: { name: 'A program', scopes: ['rooms'], ...proof } }),
    'the end of the account': (person, proof) =>
      person.accounts.deleteAccount({ body: { confirm: email, ...proof } }),
  }
  type Proof = { currentPassword?: string }
  const cases = Object.entries(actions)

  test.each(cases)('%s: a recent sign-in is enough', async (_, act) => {
    const ana = await world.as('ana')
    world.clock.advance(9 * 60_000)
    await act(ana, {})
  })

  test.each(cases)('%s: an older sign-in needs the right password', async (_, act) => {
    const [ana, ben] = [await world.as('ana'), await world.as('ben')]
    world.clock.advance(11 * 60_000)
    const again = { status: 401, body: { code: 'REAUTHENTICATION_REQUIRED' } }
    expect(await refused(act(ana, {}))).toMatchObject(again)
    // A recent sign-in of the account in another browser, or of another account, does not help.
    await signInFrom({})
    await ben.accounts.signIn({ body: { email: 'ben@example.test', password } })
    expect(await refused(act(ana, {}))).toMatchObject(again)
    expect(await refused(act(ana, { currentPassword: 'a wrong password' }))).toMatchObject({
      status: 401,
      body: { message: 'Invalid credentials' },
    })
    await act(ana, { currentPassword: password })
  })

  test.each(cases)('%s: a wrong password is refused after a recent sign-in too', async (_, act) => {
    const ana = await world.as('ana')
    expect(await refused(act(ana, { currentPassword: 'x'.repeat(5000) }))).toMatchObject({
      status: 401,
      body: { message: 'Invalid credentials' },
    })
    await ana.accounts.currentUser()
  })

  test('an account without a password signs in again', async () => {
    const developer = world.visitor()
    await developer.accounts.devSignIn()
    world.clock.advance(11 * 60_000)
    const make = (proof: Proof) =>
      developer.keys.create({ body: { name: 'A program', scopes: ['rooms'], ...proof } })
    for (const proof of [{}, { currentPassword: 'anything' }])
      expect(await refused(make(proof))).toMatchObject({
        status: 401,
        body: { code: 'REAUTHENTICATION_REQUIRED' },
      })
    await developer.accounts.devSignIn()
    await make({})
  })
})
