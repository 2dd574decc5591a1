/** The differences when NODE_ENV is 'production'. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSignIn } from '../../src/server/features/accounts/sign-ins.ts'
import { createUser } from '../../src/server/features/accounts/users.ts'
import type { World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({
    NODE_ENV: 'production',
    BASE_URL: 'https://lanternist.test',
    SESSION_SECRET: 'a secret for production tests',
    REGISTRATION: 'open',
  })
})
afterAll(() => world.close())

test('cookies are secure and transport security is on', async () => {
  const response = await world.visitor().fetch('/api/auth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.test', password }),
  })
  expect(response.headers.getSetCookie()[0]).toMatch(/; HttpOnly; Secure; SameSite=Lax$/)
  expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
})

test('development accounts do not exist', async () => {
  const visitor = world.visitor()
  expect((await refused(visitor.accounts.devSignIn())).status).toBe(404)
  const body = { email: 'dev1@example.test', password: 'dev-password-1' }
  expect((await refused(visitor.accounts.signIn({ body }))).status).toBe(401)
  expect(await visitor.site.read()).toMatchObject({ signIn: ['password', 'passkey'] })
})

test('a sign-in of a development account in the database is not valid in production', async () => {
  await createUser(world.ctx, {
    id: 'dev-user-1',
    email: 'dev1@example.test',
    passwordHash: null,
    oidcSubject: null,
    firstName: null,
    lastName: null,
    profileImageUrl: null,
    role: 'admin',
    ageVerified: true,
  })
  const cookie = await startSignIn(world.ctx, 'dev-user-1', {})
  const developer = world.visitor()
  developer.jar.set(cookie.name, cookie.value ?? '')
  expect((await refused(developer.accounts.currentUser())).status).toBe(401)
})

test('GET /api/login shows the form without a provider, and keeps the redirect', async () => {
  const visitor = world.visitor()
  const plain = await visitor.fetch('/api/login')
  expect([plain.status, plain.headers.get('location')]).toEqual([302, '/login'])
  const onwards = await visitor.fetch('/api/login?redirect=/library')
  expect(onwards.headers.get('location')).toBe('/login?redirect=%2Flibrary')
  expect(visitor.jar.header()).toBe('')
})

test('only administrators may reset their onboarding', async () => {
  const ana = await world.as('bo')
  expect(await refused(ana.accounts.resetOnboarding())).toMatchObject({ status: 403 })
  await world.ctx.db
    .updateTable('users')
    .set({ role: 'admin' })
    .where('email', '=', 'bo@example.test')
    .execute()
  expect((await ana.accounts.resetOnboarding()).onboardingCompleted).toBe(false)
})
