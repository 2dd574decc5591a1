/** OIDC answers that must not sign anyone in: forged, stolen, stale and broken ones. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sweepSignIns } from '../../src/server/features/accounts/sign-ins.ts'
import { runJob } from '../../src/server/jobs/job.ts'
import {
  authorizeAs,
  comeBack,
  leaveForProvider,
  locationOf,
  signInBy,
} from '../support/oidc-browser.ts'
import type { OidcServer } from '../support/oidc-server.ts'
import { startOidcServer } from '../support/oidc-server.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, refused } from '../support/world.ts'

const minuteMs = 60_000
const failed = { message: 'Sign-in could not be completed' }

let provider: OidcServer
let world: World
let browser: Person

beforeAll(async () => {
  provider = await startOidcServer({ sites: ['http://lanternist.test'] })
  world = await createWorld(provider.settings)
})
beforeEach(async () => {
  await world.reset()
  provider.person('ana-1', { email: 'ana@example.test' })
  provider.person('ben-1', { email: 'ben@example.test' })
  browser = world.visitor()
})
afterAll(async () => {
  await world.close()
  await provider.stop()
})

/** Expects the exact refusal, no sign-in and no new account. */
async function expectRefusal(person: Person, callback: URL) {
  const answer = await comeBack(person, callback)
  expect([answer.status, await answer.json()]).toEqual([400, failed])
  expect(person.jar.get('connect.sid')).toBeUndefined()
  expect(await usersMade()).toEqual([])
}

test('a response works once, even with the cookie restored', async () => {
  const authorization = await leaveForProvider(browser)
  const callback = await provider.authorize(authorization, 'ana-1')
  // The provider is asked the same question again: a new code for an old state.
  const repeated = await provider.authorize(authorization, 'ana-1')
  const state = browser.jar.get('oidc_state')!
  expect((await comeBack(browser, callback)).status).toBe(302)
  await browser.accounts.signOut()
  for (const replay of [callback, repeated]) {
    browser.jar.set('oidc_state', state)
    const answer = await comeBack(browser, replay)
    expect([answer.status, await answer.json()]).toEqual([400, failed])
    expect((await refused(browser.accounts.currentUser())).status).toBe(401)
  }
})

test('a response that arrives many times at once signs in once', async () => {
  const callback = await authorizeAs(provider, browser, 'ana-1')
  const copies = Array.from({ length: 5 }, () => {
    const copy = world.visitor()
    copy.jar.set('oidc_state', browser.jar.get('oidc_state')!)
    return copy
  })
  const answers = await Promise.all(copies.map((copy) => comeBack(copy, callback)))
  expect(answers.filter(({ status }) => status === 302)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(4)
  const signedIn = copies.filter((copy) => copy.jar.get('connect.sid') !== undefined)
  expect(signedIn).toHaveLength(1)
})

test('a response without a state, or with an empty or unknown one, is refused', async () => {
  const callback = await authorizeAs(provider, browser, 'ana-1')
  for (const state of [null, '', 'unknown']) {
    const forged = new URL(callback)
    if (state === null) forged.searchParams.delete('state')
    else forged.searchParams.set('state', state)
    await expectRefusal(browser, forged)
    const person = world.visitor()
    if (state !== null) person.jar.set('oidc_state', state)
    await expectRefusal(person, forged)
  }
  // Forged answers do not invalidate the true one.
  expect((await comeBack(browser, callback)).status).toBe(302)
})

test('a response in another browser is refused, and still works in its own', async () => {
  const ben = world.visitor()
  const callback = await authorizeAs(provider, browser, 'ana-1')
  await expectRefusal(world.visitor(), callback)
  await leaveForProvider(ben)
  await expectRefusal(ben, callback)
  expect((await comeBack(browser, callback)).status).toBe(302)
  expect((await browser.accounts.currentUser()).id).toBe('ana-1')
})

test('an attacker cannot sign a visitor in to the attacker’s account', async () => {
  const ben = world.visitor()
  await signInBy(provider, ben, 'ben-1')
  const lure = await authorizeAs(provider, browser, 'ana-1')
  expect((await comeBack(ben, lure)).status).toBe(400)
  expect((await ben.accounts.currentUser()).id).toBe('ben-1')
})

test('a repeated parameter is refused', async () => {
  const callback = await authorizeAs(provider, browser, 'ana-1')
  for (const name of ['state', 'code', 'iss']) {
    const doubled = new URL(callback)
    doubled.searchParams.append(name, 'another')
    const answer = await comeBack(browser, doubled)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: 'Validation Error',
      message: `Validation failed: ${name} must be a string`,
    })
  }
  expect(await usersMade()).toEqual([])
})

test.each([
  ['no code', (answer: URLSearchParams) => answer.delete('code')],
  ['a code that was never given', (answer: URLSearchParams) => answer.set('code', 'forged')],
  ['a changed code', (answer: URLSearchParams) => answer.set('code', `${answer.get('code')}x`)],
  [
    'the name of another provider',
    (answer: URLSearchParams) => answer.set('iss', 'http://evil.test'),
  ],
  ['no name of the provider', (answer: URLSearchParams) => answer.delete('iss')],
])('a response with %s is refused', async (_, change) => {
  const callback = await authorizeAs(provider, browser, 'ana-1')
  change(callback.searchParams)
  await expectRefusal(browser, callback)
})

test('the code of one sign-in does not finish another', async () => {
  const ben = world.visitor()
  const stolen = await authorizeAs(provider, browser, 'ana-1')
  const own = await authorizeAs(provider, ben, 'ben-1')
  own.searchParams.set('code', stolen.searchParams.get('code')!)
  await expectRefusal(ben, own)
})

test('an id token with another nonce is refused', async () => {
  const callback = await authorizeChanged('nonce', 'n'.repeat(43))
  await expectRefusal(browser, callback)
  // The exchange reached the token, so the wrong nonce was the only reason.
  expect(provider.tokens.length).toBeGreaterThan(0)
})

test('a wrong PKCE verifier is refused', async () => {
  const callback = await authorizeChanged('code_challenge', 'v'.repeat(43))
  await expectRefusal(browser, callback)
})

test('a visitor who declines at the provider is not signed in, and a browser sees the page', async () => {
  const callback = await authorizeAs(provider, browser, 'nobody')
  expect(callback.searchParams.get('error')).toBe('access_denied')
  await expectRefusal(browser, callback)
  const person = world.visitor({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  expect(locationOf(await comeBack(person, await authorizeAs(provider, person, 'nobody')))).toBe(
    '/login',
  )
  expect(person.jar.header()).toBe('')
})

test('a response after more than ten minutes is refused', async () => {
  const slow = await authorizeAs(provider, browser, 'ana-1')
  try {
    world.clock.advance(11 * minuteMs)
    await expectRefusal(browser, slow)
    const inTime = await authorizeAs(provider, browser, 'ana-1')
    world.clock.advance(9 * minuteMs)
    expect((await comeBack(browser, inTime)).status).toBe(302)
  } finally {
    world.clock.set(new Date().toISOString())
  }
})

test('attempts leave nothing behind, and their responses are deleted in time', async () => {
  const used = () => world.ctx.db.selectFrom('used_oidc_states').select('expires_at').execute()
  for (let times = 1; times <= 20; times += 1) await leaveForProvider(world.visitor())
  expect(await used()).toEqual([])
  await signInBy(provider, browser, 'ana-1')
  expect(await used()).toHaveLength(1)
  try {
    world.clock.advance(11 * minuteMs)
    await runJob(world.ctx, sweepSignIns, {})
    expect(await used()).toEqual([])
  } finally {
    world.clock.set(new Date().toISOString())
  }
})

test('a changed cookie is refused: another state, a later end, another target', async () => {
  const callback = await authorizeAs(provider, browser, 'ana-1')
  const [state, expiry, redirect, signature] = browser.jar.get('oidc_state')!.split('.')
  const elsewhere = Buffer.from('/elsewhere').toString('base64url')
  for (const forged of [
    [state, String(Number(expiry) + minuteMs), redirect, signature],
    [state, expiry, elsewhere, signature],
    [state, expiry, redirect, ''],
    [state, expiry, redirect],
  ]) {
    const person = world.visitor()
    person.jar.set('oidc_state', forged.join('.'))
    await expectRefusal(person, callback)
  }
})

test('a target that does not fit into the cookie is left out', async () => {
  const way = `/sessions?q=${'x'.repeat(12_000)}`
  expect(await signInBy(provider, browser, 'ana-1', way)).toBe('/')
})

async function usersMade(): Promise<string[]> {
  const rows = await world.ctx.db
    .selectFrom('users')
    .select('id')
    .where('id', 'not like', 'dev-user-%')
    .execute()
  return rows.map(({ id }) => id)
}

/** Authorises with one parameter changed, so that it differs from the value that the service kept. */
async function authorizeChanged(name: string, value: string): Promise<URL> {
  const authorization = new URL(await leaveForProvider(browser))
  expect(authorization.searchParams.has(name)).toBe(true)
  authorization.searchParams.set(name, value)
  return provider.authorize(authorization.href, 'ana-1')
}
