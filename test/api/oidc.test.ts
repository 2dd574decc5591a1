/** Signing in with a real OIDC provider: the account, and the page where people end up. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { authorizeAs, comeBack, leaveForProvider, signInBy } from '../support/oidc-browser.ts'
import type { OidcServer } from '../support/oidc-server.ts'
import { startOidcServer } from '../support/oidc-server.ts'
import type { World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

const site = 'http://lanternist.test'

let provider: OidcServer
let world: World

beforeAll(async () => {
  provider = await startOidcServer({ sites: [site] })
  world = await createWorld({ ...provider.settings, OIDC_ROLE_CLAIM: 'role' })
})
beforeEach(() => world.reset())
afterAll(async () => {
  await world.close()
  await provider.stop()
})

test('the first sign-in creates the user, with the subject as id and 50 credits', async () => {
  const subject = provider.person('ana-1', {
    email: 'ana@example.test',
    email_verified: true,
    given_name: 'Ana',
    family_name: 'Lucerna',
    picture: 'https://pictures.test/ana.png',
  })
  const browser = world.visitor()
  expect(await signInBy(provider, browser, subject)).toBe('/')
  expect(await browser.accounts.currentUser()).toMatchObject({
    id: 'ana-1',
    email: 'ana@example.test',
    firstName: 'Ana',
    lastName: 'Lucerna',
    profileImageUrl: 'https://pictures.test/ana.png',
    role: 'user',
    isActive: true,
    ageVerified: false,
    credits: { balance: 50, tier: 'free' },
  })
  expect(await loginsOf('ana-1')).toEqual([{ method: 'oidc' }])
  expect(browser.jar.get('oidc_state')).toBeUndefined()
})

test('the second sign-in finds the same user', async () => {
  const subject = provider.person('ana-1', { email: 'ana@example.test' })
  await signInBy(provider, world.visitor(), subject)
  // People can change their email address at the provider. The subject identifies them.
  provider.person('ana-1', { email: 'ana@elsewhere.test', email_verified: true })
  const browser = world.visitor()
  await signInBy(provider, browser, subject)
  expect(await browser.accounts.currentUser()).toMatchObject({
    id: 'ana-1',
    credits: { balance: 50 },
  })
  expect(await loginsOf('ana-1')).toHaveLength(2)
})

test('two subjects are two users, each with their own data', async () => {
  const [ana, ben] = [world.visitor(), world.visitor()]
  await signInBy(provider, ana, provider.person('ana-1', { email: 'ana@example.test' }))
  await signInBy(provider, ben, provider.person('ben-1', { email: 'ben@example.test' }))
  expect((await ana.accounts.currentUser()).id).toBe('ana-1')
  expect((await ben.accounts.currentUser()).id).toBe('ben-1')
})

test('concurrent first sign-ins of one user all succeed', async () => {
  const subject = provider.person('ana-1', { email: 'ana@example.test' })
  const browsers = [world.visitor(), world.visitor(), world.visitor()]
  const callbacks = await Promise.all(
    browsers.map((browser) => authorizeAs(provider, browser, subject)),
  )
  const answers = await Promise.all(
    browsers.map((browser, index) => comeBack(browser, callbacks[index]!)),
  )
  expect(answers.map(({ status }) => status)).toEqual([302, 302, 302])
  for (const browser of browsers)
    expect(await browser.accounts.currentUser()).toMatchObject({
      id: 'ana-1',
      credits: { balance: 50 },
    })
})

test.each([
  ['with a bar', 'auth0|5f7c-1'],
  ['that is an e-mail', 'ana@example.test'],
  ['that climbs out of folders', 'a/../b'],
  ['that looks like a development account', 'dev-user-1'],
  ['that looks like an id made from a subject', 'oidc-1'],
  ['that is too long', 'x'.repeat(101)],
])('a subject %s gets an id made from it', async (_, name) => {
  const subject = provider.person(name, {})
  const [browser, again] = [world.visitor(), world.visitor()]
  await signInBy(provider, browser, subject)
  await signInBy(provider, again, subject)
  const { id, email } = await browser.accounts.currentUser()
  expect(id).toBe(`oidc-${createHash('sha256').update(name).digest('base64url')}`)
  expect(email).toBe(`${id}@oidc.invalid`)
  expect((await again.accounts.currentUser()).id).toBe(id)
})

test('the provider gets PKCE, a state and a nonce, each new every time', async () => {
  const [first, second] = [
    new URL(await leaveForProvider(world.visitor())),
    new URL(await leaveForProvider(world.visitor())),
  ]
  expect(first.origin).toBe(provider.issuer)
  expect(Object.fromEntries(first.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'lanternist',
    redirect_uri: `${site}/api/callback`,
    scope: 'openid email profile',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{48}$/),
  })
  for (const name of ['code_challenge', 'state', 'nonce'])
    expect(first.searchParams.get(name)).not.toBe(second.searchParams.get(name))
})

test('the state is in a cookie that scripts cannot read, for ten minutes', async () => {
  const response = await world.visitor().fetch('/api/login')
  const cookies = response.headers.getSetCookie()
  expect(cookies).toEqual([
    expect.stringMatching(
      /^oidc_state=[\w-]{43}\.\d{13}\.Lw\.[\w-]{24}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    ),
  ])
})

test.each([
  ['/sessions/7?tab=media#end', '/sessions/7?tab=media#end'],
  ['/tags/中文?q=a%20b é', '/tags/%E4%B8%AD%E6%96%87?q=a%20b%20%C3%A9'],
  ['//evil.test', '/'],
  ['/\\evil.test', '/'],
  ['https://evil.test', '/'],
  ['/\t/evil.test', '/'],
  ['', '/'],
])('a visitor who asked for %j is sent to %j', async (redirect, end) => {
  const subject = provider.person('ana-1', {})
  expect(await signInBy(provider, world.visitor(), subject, redirect)).toBe(end)
})

test('a sign-in replaces the one before it, and any planted cookie', async () => {
  const browser = await world.as('ben')
  const old = browser.jar.get('connect.sid')!
  await signInBy(provider, browser, provider.person('ana-1', {}))
  expect(browser.jar.get('connect.sid')).not.toBe(old)
  expect((await browser.accounts.currentUser()).id).toBe('ana-1')
  const thief = world.visitor()
  thief.jar.set('connect.sid', old)
  expect((await refused(thief.accounts.currentUser())).status).toBe(401)
  const victim = world.visitor()
  victim.jar.set('connect.sid', 'planted')
  await signInBy(provider, victim, 'ana-1')
  expect(victim.jar.get('connect.sid')).not.toBe('planted')
})

test('a provider with a path, basic authentication and all claims in the id token works too', async () => {
  const other = await startOidcServer({
    sites: [site],
    path: '/realms/lantern/',
    clientAuthMethod: 'client_secret_basic',
    claimsInIdToken: true,
    userinfo: false,
  })
  const world = await createWorld(other.settings)
  try {
    const browser = world.visitor()
    const claims = { email: 'ana@example.test', given_name: 'Ana', role: 'admin' }
    await signInBy(other, browser, other.person('ana-1', claims))
    // No claim is configured as the one with roles, so no claim sets the role.
    expect(await browser.accounts.currentUser()).toMatchObject({
      email: 'ana@example.test',
      firstName: 'Ana',
      role: 'user',
    })
    const second = world.visitor()
    await signInBy(other, second, other.person('ben-1', {}))
    expect((await second.accounts.currentUser()).email).toBe('ben-1@oidc.invalid')
  } finally {
    await world.close()
    await other.stop()
  }
})

test('without a provider there is no callback', async () => {
  const world = await createWorld()
  try {
    const problem = await refused(world.visitor().accounts.finishSignIn({ query: { state: 'x' } }))
    expect(problem).toMatchObject({ status: 404, message: 'Not Found' })
  } finally {
    await world.close()
  }
})

async function loginsOf(userId: string): Promise<unknown[]> {
  const rows = await world.ctx.db
    .selectFrom('activity_log')
    .select('details')
    .where('user_id', '=', userId)
    .where('action', '=', 'login')
    .execute()
  return rows.map(({ details }) => details)
}
