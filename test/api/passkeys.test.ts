/** Passkeys (contract 14): added, used, copied and removed. A challenge is good for one attempt. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maxPasskeys } from '../../src/contract/passkeys.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { addPasskey, site } from '../support/sign-in-methods.ts'
import { recordingWorldLog } from '../support/recording-log.ts'
import { exportOf } from '../support/unzip.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

const { log, lines } = recordingWorldLog()

let world: World
let ana: Person
let bo: Person

beforeAll(async () => {
  world = await createWorld({}, { log })
})
beforeEach(async () => {
  await world.reset()
  ana = await world.as('ana')
  bo = await world.as('bo')
})
afterAll(() => world.close())

type Authenticator = ReturnType<typeof createAuthenticator>

async function signIn(device: Authenticator, deviation = {}, person = world.visitor()) {
  const options = await person.passkeys.signInOptions()
  const { user } = await person.passkeys.signIn({
    body: { response: device.sign(options, deviation) },
  })
  return { person, user }
}

async function withoutPassword(email: string): Promise<void> {
  await world.ctx.db
    .updateTable('users')
    .set({ password_hash: null })
    .where('email', '=', email)
    .execute()
}

const entriesOf = async (action: string) =>
  world.ctx.db.selectFrom('activity_log').selectAll().where('action', '=', action).execute()

describe('adding', () => {
  test('the options are those of the contract', async () => {
    const { passkey, device } = await addPasskey(ana)
    expect(passkey).toMatchObject({ name: 'A phone', lastUsedAt: null })
    const options = await ana.passkeys.registrationOptions()
    expect(options).toMatchObject({
      rp: { id: 'lanternist.test' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      pubKeyCredParams: [{ alg: -7 }, { alg: -8 }, { alg: -257 }],
      excludeCredentials: [{ id: device.register(options).id }],
    })
    const { id } = await ana.accounts.currentUser()
    expect(JSON.stringify(options)).not.toContain(id)
    expect(await entriesOf('passkey_added')).toMatchObject([{ details: { passkeyId: passkey.id } }])
  })

  test('a challenge works for one attempt, whatever its outcome', async () => {
    const options = await ana.passkeys.registrationOptions()
    const [first, second] = [createAuthenticator(site), createAuthenticator(site)]
    const attempt = (device: Authenticator, deviation = {}) =>
      ana.passkeys.add({ body: { name: 'One', response: device.register(options, deviation) } })
    expect(await refused(attempt(first, { isUserVerified: false }))).toMatchObject({ status: 400 })
    expect(await refused(attempt(second))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PASSKEY' },
    })
    expect(await ana.passkeys.list()).toEqual([])
  })

  test('a challenge belongs to the account that requested it, for five minutes', async () => {
    const options = await ana.passkeys.registrationOptions()
    const response = createAuthenticator(site).register(options)
    expect(await refused(bo.passkeys.add({ body: { name: 'x', response } }))).toMatchObject({
      status: 400,
    })
    world.clock.advance(5 * 60_000)
    expect(await refused(ana.passkeys.add({ body: { name: 'x', response } }))).toMatchObject({
      status: 400,
    })
  })

  test.each([
    { origin: 'https://elsewhere.example' },
    { rpId: 'elsewhere.example' },
    { isUserVerified: false },
  ])('is refused with %o', async (deviation) => {
    const options = await ana.passkeys.registrationOptions()
    const response = createAuthenticator(site).register(options, deviation)
    expect(await refused(ana.passkeys.add({ body: { name: 'x', response } }))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PASSKEY' },
    })
  })

  test('a known passkey, or an invalid one, is refused', async () => {
    const { device } = await addPasskey(ana)
    const options = await bo.passkeys.registrationOptions()
    const response = device.register(options)
    expect(await refused(bo.passkeys.add({ body: { name: 'Mine', response } }))).toMatchObject({
      body: { code: 'INVALID_PASSKEY' },
    })
    const nonsense = { ...response, response: { clientDataJSON: 'AAAA', attestationObject: '' } }
    expect(
      await refused(bo.passkeys.add({ body: { name: 'Mine', response: nonsense } })),
    ).toMatchObject({ body: { code: 'INVALID_PASSKEY' } })
    expect(await refused(bo.passkeys.add({ body: { name: '', response } }))).toMatchObject({
      body: { error: 'Validation Error' },
    })
  })

  test('an account has at most fifty', async () => {
    const { id } = await ana.accounts.currentUser()
    const rows = Array.from({ length: maxPasskeys }, (_, index) => ({
      id: world.ctx.newId(),
      user_id: id,
      name: 'Old',
      credential_id: `old-${index}`,
      public_key: Buffer.of(1),
      counter: 0,
      transports: [],
      created_at: world.clock.now(),
    }))
    await world.ctx.db.insertInto('passkeys').values(rows).execute()
    expect(await refused(addPasskey(ana))).toMatchObject({ status: 400 })
  })
})

describe('signing in', () => {
  test('signs in to the account of the passkey, on two devices, without a second factor', async () => {
    const phone = await addPasskey(ana, { name: 'Phone' })
    const laptop = await addPasskey(ana, { name: 'Laptop' })
    for (const { device } of [phone, laptop]) {
      const { person, user } = await signIn(device)
      expect(user.email).toBe('ana@example.test')
      expect((await person.accounts.currentUser()).email).toBe('ana@example.test')
    }
    const listed = await ana.passkeys.list()
    expect(listed.map(({ name }) => name)).toEqual(['Phone', 'Laptop'])
    expect(listed.every(({ lastUsedAt }) => lastUsedAt !== null)).toBe(true)
    expect((await entriesOf('login')).map(({ details }) => details)).toContainEqual({
      method: 'passkey',
    })
  })

  test('a challenge belongs to the browser that requested it, for one attempt and five minutes', async () => {
    const { device } = await addPasskey(ana)
    const [browser, other] = [world.visitor(), world.visitor()]
    const options = await browser.passkeys.signInOptions()
    await other.passkeys.signInOptions()
    const attempt = (person: Person) =>
      refused(person.passkeys.signIn({ body: { response: device.sign(options) } }))
    expect(await attempt(other)).toMatchObject({ status: 401, message: 'Invalid credentials' })
    await browser.passkeys.signIn({ body: { response: device.sign(options) } })
    expect(await attempt(browser)).toMatchObject({ status: 401 })
    const late = await browser.passkeys.signInOptions()
    world.clock.advance(5 * 60_000)
    expect(
      await refused(browser.passkeys.signIn({ body: { response: device.sign(late) } })),
    ).toMatchObject({ status: 401 })
  })

  test.each([
    { origin: 'https://elsewhere.example' },
    { rpId: 'elsewhere.example' },
    { isUserVerified: false },
  ])('is refused with %o', async (deviation) => {
    const { device } = await addPasskey(ana)
    expect(await refused(signIn(device, deviation))).toMatchObject({ status: 401 })
  })

  test('another key cannot sign for a known passkey, nor an unknown one for itself', async () => {
    const { device } = await addPasskey(ana)
    const stranger = createAuthenticator(site)
    expect(await refused(signIn(stranger))).toMatchObject({ status: 401 })
    const posing = {
      ...stranger,
      sign: (...asked: Parameters<Authenticator['sign']>) => ({
        ...stranger.sign(...asked),
        id: device.sign(...asked).id,
        rawId: device.sign(...asked).rawId,
      }),
    }
    expect(await refused(signIn(posing))).toMatchObject({ status: 401 })
  })

  test('a user handle must belong to the owner of the passkey', async () => {
    const handleOf = async (person: Person) => {
      const { user } = (await person.passkeys.registrationOptions()) as { user?: { id: string } }
      return user?.id ?? ''
    }
    const { device } = await addPasskey(ana)
    for (const userHandle of [await handleOf(bo), '', 'AAAA'])
      expect(await refused(signIn(device, { userHandle }))).toMatchObject({
        status: 401,
        message: 'Invalid credentials',
      })
    const { user } = await signIn(device, { userHandle: await handleOf(ana) })
    expect(user.email).toBe('ana@example.test')
  })

  test('a counter that does not increase is refused and logged; one that stays 0 is not', async () => {
    const { device } = await addPasskey(ana)
    await signIn(device, { counter: 5 })
    lines.length = 0
    expect(await refused(signIn(device, { counter: 5 }))).toMatchObject({ status: 401 })
    expect(await refused(signIn(device, { counter: 0 }))).toMatchObject({ status: 401 })
    expect(lines.filter((line) => line.includes('passkey_counter'))).toHaveLength(2)
    await signIn(device, { counter: 6 })
    const { device: uncounted } = await addPasskey(bo)
    await signIn(uncounted, { counter: 0 })
    await signIn(uncounted, { counter: 0 })
  })

  test('a disabled account cannot sign in', async () => {
    const { device } = await addPasskey(ana)
    await world.ctx.db.updateTable('users').set({ is_active: false }).execute()
    expect(await refused(signIn(device))).toMatchObject({
      status: 403,
      message: 'Account is disabled',
    })
  })

  test('a removed passkey no longer signs in', async () => {
    const { device, passkey } = await addPasskey(ana)
    await signIn(device)
    const params = { id: passkey.id }
    expect(await refused(bo.passkeys.remove({ params }))).toMatchObject({ status: 404 })
    await signIn(device)
    expect(await ana.passkeys.remove({ params })).toEqual({ message: 'Passkey removed' })
    expect(await refused(signIn(device))).toMatchObject({ status: 401 })
    expect(await entriesOf('passkey_removed')).toHaveLength(1)
  })
})

test('only its owner can rename a passkey', async () => {
  const { passkey } = await addPasskey(ana)
  const params = { id: passkey.id }
  expect(await refused(bo.passkeys.rename({ params, body: { name: 'Mine' } }))).toMatchObject({
    status: 404,
  })
  const renamed = await ana.passkeys.rename({ params, body: { name: 'The old phone' } })
  expect(renamed).toEqual({ ...passkey, name: 'The old phone' })
})

describe('the last sign-in method', () => {
  test('stays, even if two are removed at once', async () => {
    const [one, two] = [await addPasskey(ana), await addPasskey(ana)]
    await withoutPassword('ana@example.test')
    const outcomes = await Promise.allSettled(
      [one, two].map(({ passkey }) => ana.passkeys.remove({ params: { id: passkey.id } })),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [left] = await ana.passkeys.list()
    expect(await refused(ana.passkeys.remove({ params: { id: left?.id ?? '' } }))).toMatchObject({
      status: 400,
      body: { code: 'LAST_SIGN_IN_METHOD' },
    })
    expect(await ana.passkeys.list()).toHaveLength(1)
  })

  test('is not a provider without settings', async () => {
    const { passkey } = await addPasskey(ana)
    await withoutPassword('ana@example.test')
    await world.ctx.db
      .updateTable('users')
      .set({ oidc_subject: 'somebody' })
      .where('email', '=', 'ana@example.test')
      .execute()
    expect(await refused(ana.passkeys.remove({ params: { id: passkey.id } }))).toMatchObject({
      body: { code: 'LAST_SIGN_IN_METHOD' },
    })
  })

  test('a development account keeps its password from the environment', async () => {
    const developer = world.visitor()
    await developer.accounts.devSignIn()
    const { passkey } = await addPasskey(developer)
    await developer.passkeys.remove({ params: { id: passkey.id } })
  })
})

test('an export lists the passkeys, and deleting the account deletes them', async () => {
  await addPasskey(ana, { name: 'The phone' })
  const { json } = await exportOf(ana)
  expect(json('passkeys.json')).toMatchObject([{ name: 'The phone' }])
  await ana.accounts.deleteAccount({ body: { confirm: 'ana@example.test' } })
  const left = await world.ctx.db.selectFrom('passkeys').select('id').execute()
  expect(left).toEqual([])
})

test.each([
  ['https://pictures.example', true],
  ['https://192.0.2.7', false],
  ['http://pictures.example', false],
])('passkeys are offered on %s: %s', async (baseUrl, isOffered) => {
  const settings = {
    NODE_ENV: 'production',
    BASE_URL: baseUrl,
    SESSION_SECRET: 'a long enough secret',
    FEED: 'off',
  }
  const production = await createWorld(settings)
  try {
    const { signIn } = await production.visitor().site.read()
    expect(signIn.includes('passkey')).toBe(isOffered)
  } finally {
    await production.close()
  }
})
