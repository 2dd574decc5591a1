/** Every endpoint, called by every kind of caller: access is exactly as the contract says. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import { needsSignIn, unauthorizedOf } from '../../src/contract/endpoint.ts'
import { problems } from '../../src/contract/problems.ts'
import { startSignIn } from '../../src/server/features/accounts/sign-ins.ts'
import { emailOf, setRole } from '../support/admin-world.ts'
import { callEndpoint } from '../support/endpoint-caller.ts'
import type { Call, Things } from '../support/private-things.ts'
import { privateThings, sharedThings } from '../support/private-things.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import type { Person } from '../support/world.ts'

let world: SessionWorld
let ana: Person
let things: Things
let shown: Things

const names = ['ana', 'bo', 'ida', 'ada', 'rut'] as const
const ids = new Map<string, string>()

beforeAll(async () => {
  world = await createSessionWorld()
  for (const name of names) {
    const person = await world.as(name)
    await person.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
    await person.enhancement.giveConsent({ body: { version: 1 } })
    await world.grant(name, 500)
    ids.set(name, (await person.accounts.currentUser()).id)
    if (name === 'ana') ana = person
  }
  await setRole(world, 'ada', 'admin')
  await setRole(world, 'rut', 'super_admin')
  await letGuestsIn(false)
  things = await privateThings(world, ana)
  shown = await sharedThings(world, ana)
  await world.ctx.db
    .updateTable('users')
    .set({ is_active: false })
    .where('email', '=', emailOf('ida'))
    .execute()
})
afterAll(() => world.close())

async function letGuestsIn(publicCommunity: boolean): Promise<void> {
  await (await as('ada')).admin.changeSettings({ body: { publicCommunity } })
}

/** Returns a person with a new sign-in, because some calls end the sign-in they are made with. */
async function as(name: (typeof names)[number]): Promise<Person> {
  const cookie = await startSignIn(world.ctx, ids.get(name) ?? '', {})
  return world.visitor({ cookie: `${cookie.name}=${cookie.value}` })
}

async function signedOut(): Promise<Person> {
  const person = await as('bo')
  await person.accounts.signOut()
  return person
}

const forged = () => world.visitor({ cookie: 'connect.sid=AAAA.BBBB' })

// A valid id that belongs to no row.
const nothing = { param: '2147483647' }

describe.each(endpoints.filter(({ endpoint }) => needsSignIn(endpoint)))('$name', (entry) => {
  const { endpoint } = entry
  const isForAdmins = endpoint.who === 'admin' || endpoint.who === 'super_admin'

  test('is closed to visitors without a valid sign-in', async () => {
    for (const person of [world.visitor(), forged(), await signedOut()]) {
      const { status, body } = await callEndpoint(person, entry, nothing)
      expect({ status, body }).toEqual({ status: 401, body: unauthorizedOf(endpoint).fixed })
    }
  })

  test('is closed to an inactive account', async () => {
    const { status, body } = await callEndpoint(await as('ida'), entry, nothing)
    expect({ status, body }).toEqual({ status: 403, body: problems.accountDisabled.fixed })
  })

  test(`is ${isForAdmins ? 'closed' : 'open'} to a user, and open to higher roles`, async () => {
    const user = await callEndpoint(await as('bo'), entry, nothing)
    if (isForAdmins) expect([user.status, user.body]).toEqual([403, problems.forbidden.fixed])
    else expectOpen(user)
    if (endpoint.who !== 'super_admin')
      expectOpen(await callEndpoint(await as('ada'), entry, nothing))
    expectOpen(await callEndpoint(await as('rut'), entry, nothing))
  })
})

describe.each(endpoints.filter(({ endpoint }) => endpoint.who === 'anyone'))('$name', (entry) => {
  test('is the same for everyone', async () => {
    const { status } = await callEndpoint(world.visitor(), entry, nothing)
    const others = [forged(), await signedOut(), await as('ida'), await as('bo'), await as('rut')]
    for (const person of others)
      expect((await callEndpoint(person, entry, nothing)).status).toBe(status)
  })
})

describe.each(endpoints.filter(({ endpoint }) => endpoint.who === 'signature'))(
  '$name',
  (entry) => {
    test('is closed to everyone, with any cookie', async () => {
      const callers = [world.visitor(), await as('bo'), await as('ada'), await as('rut')]
      for (const person of callers)
        expect((await callEndpoint(person, entry, { body: '{}' })).status).toBeGreaterThan(400)
    })
  },
)

describe('things of another account', () => {
  test('every endpoint with an id is tested here', () => {
    const named = endpoints.filter(({ endpoint }) => endpoint.params && endpoint.who !== 'admin')
    const asked = new Set([...Object.keys(things), ...Object.keys(shown)])
    expect(named.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([])
  })

  test('cannot be reached by users or administrators, and do not change', async () => {
    const before = await stateOf(ana)
    for (const [name, call] of Object.entries(things))
      for (const caller of ['bo', 'ada', 'rut'] as const) {
        const { status } = await callThing(await as(caller), name, call)
        expect([400, 403, 404], `${name} by ${caller}`).toContain(status)
      }
    expect(await stateOf(ana)).toEqual(before)
  })

  test('can be reached by their owner with the same calls', async () => {
    const closed: string[] = []
    for (const [name, call] of Object.entries(things)) {
      // This stream never ends by itself.
      if (name === 'sessions.events') continue
      const { status } = await callThing(await as('ana'), name, call)
      if (status >= 300) closed.push(`${name} ${status}`)
    }
    // This payment is not waiting for a transfer.
    expect(closed).toEqual(['payments.submitTransaction 400'])
  })

  test('shared things are open to others, and only the public part to visitors', async () => {
    for (const [name, call] of Object.entries(shown)) {
      // This stream never ends by itself.
      if (name === 'rooms.events') continue
      const { endpoint } = entryOf(name)
      const { status } = endpoint.answer
      expect((await callThing(await as('bo'), name, call)).status, name).toBe(status)
      const isPublic = endpoint.who === 'anyone'
      expect((await callThing(world.visitor(), name, call)).status, name).toBe(
        isPublic ? status : 401,
      )
    }
  })
})

test('guests of the community get its list and its sessions, and nothing else', async () => {
  await letGuestsIn(true)
  try {
    const open = []
    for (const entry of endpoints.filter(({ endpoint }) => needsSignIn(endpoint)))
      if ((await callEndpoint(world.visitor(), entry, nothing)).status !== 401)
        open.push(entry.name)
    expect(open).toEqual(['community.browse', 'community.open'])
  } finally {
    await letGuestsIn(false)
  }
})

/** Returns everything that the owner sees. Calls of other accounts must not change it. */
async function stateOf(owner: Person) {
  const { balance } = await owner.credits.balance()
  const sessions = await owner.sessions.list()
  const id = things['sessions.read']?.params?.['id'] ?? ''
  const { media } = await owner.sessions.read({ params: { id } })
  return { balance, sessions, media, vault: (await owner.vault.list()).files }
}

function callThing(person: Person, name: string, { params, body }: Call) {
  return callEndpoint(person, entryOf(name), {
    ...(params && { params }),
    ...(body && { body: JSON.stringify(body) }),
  })
}

function entryOf(name: string) {
  const entry = endpoints.find((candidate) => candidate.name === name)
  if (!entry) throw new Error(`${name} is not in the contract`)
  return entry
}

/** Expects that the caller may call it. The service may still refuse the input. */
function expectOpen({ status, body }: { status: number; body: unknown }) {
  expect(status).not.toBe(401)
  expect([problems.forbidden.fixed, problems.accountDisabled.fixed]).not.toContainEqual(body)
}
