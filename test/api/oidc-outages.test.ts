/** OIDC with a provider that is down or broken, its log lines, and its use in production. */
import type { ServerResponse } from 'node:http'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseConfig } from '../../src/server/config/config.ts'
import { createLocalUser } from '../../src/server/features/accounts/local-accounts.ts'
import { hashPassword } from '../../src/server/features/accounts/passwords.ts'
import { createOidcProvider } from '../../src/server/platform/oidc-provider.ts'
import { authorizeAs, comeBack, leaveForProvider, signInBy } from '../support/oidc-browser.ts'
import type { Interruption, OidcServer } from '../support/oidc-server.ts'
import { startOidcServer } from '../support/oidc-server.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

const failed = { message: 'Sign-in could not be completed' }
const unreachable = { message: 'The sign-in provider cannot be reached' }

const productionSite = 'https://lanternist.test'
const production = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'long enough to be one',
  BASE_URL: productionSite,
  REGISTRATION: 'open',
  FEED: 'off',
  CAPTIONS: 'off',
}

let provider: OidcServer
let world: World
let browser: Person

beforeAll(async () => {
  provider = await startOidcServer({ sites: ['http://lanternist.test', productionSite] })
  provider.person('ana-1', { email: 'ana@example.test' })
  world = await createWorld(provider.settings)
})
beforeEach(async () => {
  await world.reset()
  browser = world.visitor()
})
afterAll(async () => {
  await world.close()
  await provider.stop()
})

test('a provider that is down during the callback is reported, and nothing is stored', async () => {
  const callback = await authorizeAs(provider, browser, 'ana-1')
  await provider.stop()
  try {
    await expectRefusal(callback, 503, unreachable)
  } finally {
    await provider.start()
  }
  await signInBy(provider, browser, 'ana-1')
  expect((await browser.accounts.currentUser()).id).toBe('ana-1')
})

test('a provider that is down before the redirect is reported, and used when it is back', async () => {
  await provider.stop()
  // A node that has never contacted the provider: it reads the provider's metadata only when needed.
  const fresh = await createWorld(provider.settings)
  const person = fresh.visitor()
  const problem = await refused(person.accounts.startSignIn())
  await provider.start()
  expect([problem.status, problem.body]).toEqual([503, unreachable])
  expect(person.jar.header()).toBe('')
  provider.interrupt((response) => response.writeHead(502).end('Bad Gateway'))
  expect((await refused(person.accounts.startSignIn())).status).toBe(503)
  provider.interrupt(null)
  expect(await signInBy(provider, person, 'ana-1')).toBe('/')
  await fresh.close()
})

const brokenAnswers: [string, Interruption, 400 | 503][] = [
  [
    'a gateway with nothing behind it',
    (response) => response.writeHead(502).end('Bad Gateway'),
    503,
  ],
  ['half an answer', (response) => hangUpAfter(response, '{"access_token":"abc'), 503],
  ['an answer that is no JSON', (response) => sendJson(response, '{"access_token":"abc'), 400],
  [
    'an answer without an id token',
    (response) => sendJson(response, '{"access_token":"abc","token_type":"bearer"}'),
    400,
  ],
  [
    'a page',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>'),
    400,
  ],
]

test.each(brokenAnswers)('a provider that sends %s signs nobody in', async (_, answer, status) => {
  const callback = await authorizeAs(provider, browser, 'ana-1')
  provider.interrupt(answer)
  try {
    await expectRefusal(callback, status, status === 503 ? unreachable : failed)
  } finally {
    provider.interrupt(null)
  }
})

test('the log contains no code, state, nonce, verifier, token, cookie or secret', async () => {
  const lines = recordLog()
  const secrets = new Set([provider.settings.OIDC_CLIENT_SECRET, 'hush'])
  const note = (values: Iterable<string | undefined>) => {
    for (const value of values) if (value !== undefined && value.length > 20) secrets.add(value)
  }
  const signIn = async (spoil: () => unknown, changed: Record<string, string> = {}) => {
    const authorization = new URL(await leaveForProvider(browser))
    note([authorization.searchParams.get('nonce')!, browser.jar.get('oidc_state')])
    for (const [name, value] of Object.entries(changed)) authorization.searchParams.set(name, value)
    const callback = await provider.authorize(authorization.href, 'ana-1')
    note([authorization.searchParams.get('code_challenge') ?? undefined])
    note([callback.searchParams.get('code')!, callback.searchParams.get('state')!])
    await spoil()
    await comeBack(browser, callback)
    provider.interrupt(null)
    note([browser.jar.get('connect.sid'), ...provider.tokens])
  }

  await signIn(() => {})
  await signIn(() => {}, { nonce: 'n'.repeat(43) })
  await signIn(() => {}, { code_challenge: 'v'.repeat(43) })
  await signIn(() => provider.interrupt((response) => sendJson(response, 'hush-hush')))
  await signIn(() => provider.interrupt((response) => response.destroy()))

  const log = lines.join('')
  expect(secrets.size).toBeGreaterThan(20)
  expect([...secrets].filter((secret) => log.includes(secret))).toEqual([])
  // The log still contains each callback, and the reason of each failure.
  expect(log.match(/"path":"\/api\/callback"/g)).toHaveLength(5)
  const reasons = lines.map((line) => String(JSON.parse(line).reason ?? ''))
  expect(reasons.filter((reason) => reason !== '')).toEqual([
    expect.stringContaining('OAUTH_JWT_CLAIM_COMPARISON_FAILED'),
    expect.stringContaining('invalid_grant'),
    expect.stringContaining('OAUTH_PARSE_ERROR'),
    expect.stringContaining('UND_ERR_SOCKET'),
  ])
})

test('in production with a provider, it is the only sign-in method', async () => {
  const issuer = { ...provider.settings, OIDC_ISSUER: 'https://provider.invalid' }
  const world = await createWorld({ ...production, ...issuer })
  await createLocalUser(world.ctx, {
    email: 'ben@example.test',
    passwordHash: await hashPassword(world.ctx, password),
  })
  const ben = world.visitor()
  const signIn = ben.accounts.signIn({ body: { email: 'ben@example.test', password } })
  expect(await refused(signIn)).toMatchObject({ status: 401, message: 'Invalid credentials' })
  const register = ben.accounts.register({ body: { email: 'cleo@example.test', password } })
  expect(await refused(register)).toMatchObject({ status: 403, message: 'Registration is closed' })
  expect((await refused(ben.accounts.devSignIn())).status).toBe(404)
  expect(ben.jar.header()).toBe('')

  // The settings require https, but a provider on this machine has none. The rest is as in production.
  const { oidc } = world.ctx.config
  const callbackUrl = `${productionSite}/api/callback`
  const settings = { ...oidc!, issuer: provider.issuer }
  Object.assign(world.ctx, { oidc: createOidcProvider(settings, { callbackUrl, allowHttp: true }) })
  const response = await ben.fetch('/api/login')
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^oidc_state=.*; Secure/)])
  const callback = await provider.authorize(response.headers.get('location')!, 'ana-1')
  const answer = await comeBack(ben, callback)
  expect(answer.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^connect\.sid=.*; HttpOnly; Secure; SameSite=Lax$/),
  )
  expect((await ben.accounts.currentUser()).id).toBe('ana-1')
  await world.close()
})

test('in production without a provider, people sign in with local accounts', async () => {
  const world = await createWorld(production)
  await createLocalUser(world.ctx, {
    email: 'ben@example.test',
    passwordHash: await hashPassword(world.ctx, password),
  })
  const ben = world.visitor()
  await ben.accounts.signIn({ body: { email: 'ben@example.test', password } })
  expect((await ben.accounts.currentUser()).email).toBe('ben@example.test')
  const cleo = world.visitor()
  await cleo.accounts.register({ body: { email: 'cleo@example.test', password } })
  expect((await cleo.accounts.currentUser()).email).toBe('cleo@example.test')
  expect((await world.visitor().fetch('/api/login')).headers.get('location')).toBe('/login')
  await world.close()
})

test('in production a provider without https is refused, by the settings and on use', async () => {
  expect(() => parseConfig({ ...production, ...provider.settings })).toThrow(
    'OIDC_ISSUER must be an https URL in production',
  )
  const settings = {
    issuer: provider.issuer,
    clientId: 'x',
    clientSecret: 'x',
    roleClaim: undefined,
  }
  const place = { callbackUrl: `${productionSite}/api/callback`, allowHttp: false }
  const secrets = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) }
  await expect(createOidcProvider(settings, place).begin(secrets)).rejects.toThrow(
    'only requests to HTTPS',
  )
})

async function expectRefusal(callback: URL, status: number, body: object): Promise<void> {
  const answer = await comeBack(browser, callback)
  expect([answer.status, await answer.json()]).toEqual([status, body])
  expect(browser.jar.get('connect.sid')).toBeUndefined()
  const made = world.ctx.db.selectFrom('users').select('id').where('oidc_subject', 'is not', null)
  expect(await made.execute()).toEqual([])
}

function sendJson(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

function hangUpAfter(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
  response.write(text, () => response.destroy())
}

/** Records every line that the service logs from now on, at every level. */
function recordLog(): string[] {
  const lines: string[] = []
  world.ctx.log.level = 'trace'
  Reflect.set(world.ctx.log, pino.symbols.streamSym, { write: (line: string) => lines.push(line) })
  return lines
}
