/** The accounts that the claims of an OIDC provider create or link, and those that they do not. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseCommand } from '../../src/server/commands/admin-commands.ts'
import type { MailServer } from '../support/mail-server.ts'
import { startMailServer } from '../support/mail-server.ts'
import { authorizeAs, comeBack, signInBy } from '../support/oidc-browser.ts'
import type { OidcServer } from '../support/oidc-server.ts'
import { startOidcServer } from '../support/oidc-server.ts'
import type { World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

const site = 'http://lanternist.test'

let provider: OidcServer
let mails: MailServer
let world: World

beforeAll(async () => {
  provider = await startOidcServer({ sites: [site] })
  mails = await startMailServer()
  world = await createWorld({ ...provider.settings, ...mails.settings, OIDC_ROLE_CLAIM: 'role' })
})
beforeEach(() => world.reset())
afterAll(async () => {
  await world.close()
  await mails.close()
  await provider.stop()
})

test('the provider’s role is used if it is a known one', async () => {
  const browser = world.visitor()
  const roleWith = async (role: unknown) => {
    const email = 'ana@example.test'
    const subject = provider.person('ana-1', role === undefined ? { email } : { email, role })
    await signInBy(provider, browser, subject)
    return (await browser.accounts.currentUser()).role
  }
  expect(await roleWith('admin')).toBe('admin')
  expect(await roleWith('root')).toBe('admin')
  expect(await roleWith(['super_admin'])).toBe('admin')
  expect(await roleWith(undefined)).toBe('admin')
  expect(await roleWith('user')).toBe('user')
  expect(await roleWith('super_admin')).toBe('super_admin')
})

test('the last super_admin keeps the role, whatever the provider says', async () => {
  const browsers = { ana: world.visitor(), ben: world.visitor() }
  const roleOf = async (name: 'ana' | 'ben', role: string) => {
    const browser = browsers[name]
    await signInBy(provider, browser, provider.person(`${name}-1`, { role }))
    return (await browser.accounts.currentUser()).role
  }
  expect(await roleOf('ana', 'super_admin')).toBe('super_admin')
  expect(await roleOf('ana', 'user')).toBe('super_admin')
  expect(await roleOf('ben', 'super_admin')).toBe('super_admin')
  const both = await Promise.all([roleOf('ana', 'user'), roleOf('ben', 'admin')])
  expect(both.filter((role) => role === 'super_admin')).toHaveLength(1)
})

test('a local super_admin whom the provider takes over keeps the role while there is no other', async () => {
  const before = await world.as('ana')
  const { id } = await before.accounts.currentUser()
  await parseCommand(['promote', 'ana@example.test'])(world.ctx)
  const claims = { email: 'ana@example.test', email_verified: true, role: 'user' }
  const browser = world.visitor()
  await signInBy(provider, browser, provider.person('ana-1', claims))
  expect(await browser.accounts.currentUser()).toMatchObject({ id, role: 'super_admin' })
  // The provider cannot demote the only super_admin. Deleting that account is refused too.
  const confirm = { confirm: 'ana@example.test' }
  expect(await refused(browser.accounts.deleteAccount({ body: confirm }))).toMatchObject({
    status: 409,
  })
  await world.as('bo')
  await parseCommand(['promote', 'bo@example.test'])(world.ctx)
  await signInBy(provider, browser, 'ana-1')
  expect((await browser.accounts.currentUser()).role).toBe('user')
  const logged = await world.ctx.db
    .selectFrom('activity_log')
    .select(['user_id', 'target_user_id', 'details'])
    .where('action', '=', 'admin_changed')
    .where('user_id', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  expect(logged).toEqual({
    user_id: null,
    target_user_id: id,
    details: { role: 'user', by: 'provider' },
  })
})

test('an unknown role makes an ordinary user', async () => {
  const browser = world.visitor()
  await signInBy(provider, browser, provider.person('ana-1', { role: 'root' }))
  expect((await browser.accounts.currentUser()).role).toBe('user')
})

test('a verified e-mail finds the local account, which the provider controls from then on', async () => {
  const before = await world.as('ana')
  const account = await before.accounts.currentUser()
  await before.keys.create({ body: { name: 'kept', scopes: ['sessions:read'] } })
  await before.secondFactor.begin()
  const browser = world.visitor()
  const subject = provider.person('ana-1', { email: 'Ana@Example.Test', email_verified: true })
  await signInBy(provider, browser, subject)
  expect(await browser.accounts.currentUser()).toMatchObject({
    id: account.id,
    credits: { balance: 50 },
  })
  // Anyone could have registered with that address here. Only its owner has it at the provider.
  expect((await refused(before.accounts.currentUser())).status).toBe(401)
  const body = { email: 'ana@example.test', password }
  expect((await refused(world.visitor().accounts.signIn({ body }))).status).toBe(401)
  expect(await browser.keys.list()).toEqual([])
  expect(await world.ctx.db.selectFrom('totp_secrets').selectAll().execute()).toEqual([])
  const logged = await world.ctx.db
    .selectFrom('activity_log')
    .select(['action', 'user_id', 'details'])
    .where('action', 'in', ['sign_in_ended', 'key_removed', 'totp_disabled'])
    .orderBy('id')
    .execute()
  // Two-factor authentication was not confirmed yet, so nothing about it is logged.
  const entry = { user_id: account.id, details: { which: 'all', by: 'provider' } }
  expect(logged).toEqual([
    { action: 'sign_in_ended', ...entry },
    { action: 'key_removed', ...entry },
  ])
})

test('an account of the provider has no password and cannot get one', async () => {
  const [browser, bo] = [world.visitor(), await world.as('bo')]
  mails.mails.length = 0
  const claims = { email: 'ana@example.test', email_verified: true }
  await signInBy(provider, browser, provider.person('ana-1', claims))
  expect(await browser.accounts.currentUser()).toMatchObject({ hasPassword: false })
  const newPassword = 'another long password'
  const fixed = { status: 403, body: { code: 'NOT_CHANGEABLE' } }
  expect(await refused(browser.security.changePassword({ body: { newPassword } }))).toMatchObject(
    fixed,
  )
  expect(await refused(browser.secondFactor.begin())).toMatchObject({ status: 400 })
  await expect(parseCommand(['password', 'ana@example.test'])(world.ctx)).rejects.toMatchObject({
    body: { code: 'NOT_CHANGEABLE' },
  })
  // A request for a reset mail gets the same answer, but sends none.
  for (const email of ['ana@example.test', 'bo@example.test'])
    await world.visitor().security.forgotPassword({ body: { email } })
  await world.runJobs()
  expect(mails.mails.map(({ to }) => to)).toEqual(['bo@example.test'])
  // An account with a password here can still change it.
  await bo.security.changePassword({ body: { currentPassword: password, newPassword } })
})

test('an unverified e-mail finds no account', async () => {
  const ana = await world.as('ana')
  const [stranger, browser] = [world.visitor(), world.visitor({ accept: 'text/html' })]
  const subject = provider.person('mallory-1', { email: 'ana@example.test', email_verified: false })
  const answer = await comeBack(stranger, await authorizeAs(provider, stranger, subject))
  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({ message: 'Sign-in could not be completed' })
  expect(stranger.jar.get('connect.sid')).toBeUndefined()
  expect(await signInBy(provider, browser, subject)).toBe('/login')
  expect(browser.jar.header()).toBe('')
  expect((await ana.accounts.currentUser()).email).toBe('ana@example.test')
})

test('an account with a subject is not given to another subject with the same e-mail', async () => {
  const email = 'ana@example.test'
  const ana = world.visitor()
  await signInBy(provider, ana, provider.person('ana-1', { email, email_verified: true }))
  // The address belongs to another person now, as happens when people leave a company.
  const successor = world.visitor()
  const subject = provider.person('ann-2', { email, email_verified: true })
  expect((await comeBack(successor, await authorizeAs(provider, successor, subject))).status).toBe(
    400,
  )
  await signInBy(provider, ana, 'ana-1')
  expect((await ana.accounts.currentUser()).id).toBe('ana-1')
})

test('a subject that is the id of another account is refused', async () => {
  const ana = await world.as('ana')
  const { id } = await ana.accounts.currentUser()
  const browser = world.visitor()
  const callback = await authorizeAs(provider, browser, provider.person(id, {}))
  expect((await comeBack(browser, callback)).status).toBe(400)
  expect((await refused(browser.accounts.currentUser())).status).toBe(401)
})

test('claims that cannot be stored are left out', async () => {
  const browser = world.visitor()
  const subject = provider.person('ana-1', {
    email: `${'a'.repeat(300)}@example.test`,
    email_verified: true,
    given_name: ` ${'A'.repeat(150)} `,
    family_name: '  ',
    picture: 'javascript:alert(1)',
  })
  await signInBy(provider, browser, subject)
  expect(await browser.accounts.currentUser()).toMatchObject({
    email: 'ana-1@oidc.invalid',
    firstName: 'A'.repeat(100),
    lastName: null,
    profileImageUrl: null,
  })
  const other = world.visitor()
  const unstorable = provider.person('ben-1', { given_name: 'B\u0000en' })
  expect((await comeBack(other, await authorizeAs(provider, other, unstorable))).status).toBe(400)
  const long = provider.person('x'.repeat(256), {})
  expect((await comeBack(other, await authorizeAs(provider, other, long))).status).toBe(400)
})

test('claims that are missing in the id token are requested, and never mixed between sources', async () => {
  const other = await startOidcServer({ sites: [site], claimsInIdToken: true })
  const world = await createWorld({ ...other.settings, OIDC_ROLE_CLAIM: 'role' })
  await world.as('ben')
  const [ana, mallory] = [world.visitor(), world.visitor()]
  const email = 'ana@example.test'
  await signInBy(other, ana, other.person('ana-1', { email, role: 'admin' }, { email }))
  expect(await ana.accounts.currentUser()).toMatchObject({ email, role: 'admin' })
  const verified = { email: 'mallory@example.test', email_verified: true }
  const subject = other.person('mallory-1', verified, { email: 'ben@example.test' })
  const callback = await authorizeAs(other, mallory, subject)
  expect((await comeBack(mallory, callback)).status).toBe(400)
  await world.close()
  await other.stop()
})

test('a disabled account gets an error and no cookie', async () => {
  const subject = provider.person('ana-1', {})
  const ben = world.visitor()
  await signInBy(provider, world.visitor(), subject)
  await signInBy(provider, ben, provider.person('ben-1', {}))
  await world.ctx.db
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', 'ana-1')
    .execute()
  const [script, browser] = [world.visitor(), world.visitor({ accept: 'text/html' })]
  const answer = await comeBack(script, await authorizeAs(provider, script, subject))
  expect(answer.status).toBe(403)
  expect(await answer.json()).toEqual({ message: 'Account is disabled' })
  expect(script.jar.get('connect.sid')).toBeUndefined()
  expect(await signInBy(provider, browser, subject)).toBe('/login')
  expect(browser.jar.get('connect.sid')).toBeUndefined()
  expect((await ben.accounts.currentUser()).id).toBe('ben-1')
})
