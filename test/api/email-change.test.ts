/** Changing the email address of an account (contract, section 14). */
import { expect, test } from 'vitest'
import { tokenIn } from '../support/mail-server.ts'
import type { MailWorld } from '../support/mail-world.ts'
import { createMailWorld } from '../support/mail-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

const oldEmail = 'ana@example.test'
const newEmail = 'anna@example.test'
const invalid = { status: 400, body: { code: 'INVALID_TOKEN' } }

let world: MailWorld

useWorld(createMailWorld, async (made) => {
  world = made
})

const ask = (person: Person, email = newEmail) =>
  person.security.changeEmail({ body: { email, currentPassword: password } })

async function askForToken(person: Person, email = newEmail): Promise<string> {
  await ask(person, email)
  await world.runJobs()
  return tokenIn(world.mails.to(email).at(-1))
}

const confirm = (token: string) => world.visitor().security.confirmEmail({ body: { token } })

test('the new address takes effect when it is confirmed, and the old one is notified without a link', async () => {
  const ana = await world.as('ana')
  const token = await askForToken(ana, newEmail)
  expect(world.mails.mails).toHaveLength(1)
  expect(world.mails.mails[0]?.text).toContain(
    `http://lanternist.test/confirm-email?token=${token}`,
  )
  expect((await ana.accounts.currentUser()).email).toBe(oldEmail)
  const { id } = await ana.accounts.currentUser()
  expect(await confirm(token)).toMatchObject({ id, email: newEmail })
  await ana.accounts.currentUser()
  await world.visitor().accounts.signIn({ body: { email: newEmail, password } })
  const body = { email: oldEmail, password }
  expect((await refused(world.visitor().accounts.signIn({ body }))).status).toBe(401)
  await world.runJobs()
  expect(world.mails.to(oldEmail)).toHaveLength(1)
  expect(world.mails.to(oldEmail)[0]?.subject).toBe('The address of your account was changed')
  expect(world.mails.to(oldEmail)[0]?.raw).not.toContain('token')
  expect(world.mails.to(oldEmail)[0]?.text).not.toContain(newEmail)
  const log = await world.ctx.db
    .selectFrom('activity_log')
    .selectAll()
    .where('action', '=', 'email_changed')
    .execute()
  expect(log).toMatchObject([{ user_id: id, feature: 'authentication', details: {} }])
  expect(await refused(confirm(token))).toMatchObject(invalid)
})

test('a taken address gets a notice without a token, and the same response', async () => {
  const [ana, ben] = [await world.as('ana'), await world.as('ben')]
  const free = await ask(ana)
  const taken = await ask(ana, 'Ben@example.test ')
  expect(taken).toEqual(free)
  await world.runJobs()
  const [notice, ...others] = world.mails.to('ben@example.test')
  expect(others).toEqual([])
  expect(notice?.text).toContain('nothing was changed')
  expect(notice?.raw).not.toContain('token=')
  expect((await ben.accounts.currentUser()).email).toBe('ben@example.test')
})

test('an address that was taken in the meantime is refused', async () => {
  const ana = await world.as('ana')
  const token = await askForToken(ana)
  const body = { email: newEmail, password }
  await world.visitor().accounts.register({ body })
  expect(await refused(confirm(token))).toMatchObject(invalid)
  expect((await ana.accounts.currentUser()).email).toBe(oldEmail)
})

test('of two accounts that confirm one address at once, only one gets it', async () => {
  const [ana, ben] = [await world.as('ana'), await world.as('ben')]
  const tokens = [await askForToken(ana), await askForToken(ben)]
  const outcomes = await Promise.allSettled(tokens.map(confirm))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await refused(confirm(tokens[0] ?? ''))).toMatchObject(invalid)
  expect(await refused(confirm(tokens[1] ?? ''))).toMatchObject(invalid)
})

test('of twenty concurrent uses of one token, one succeeds', async () => {
  const ana = await world.as('ana')
  const token = await askForToken(ana)
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => confirm(token)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a token expires after an hour, with a later one, a new password and a new address', async () => {
  const ana = await world.as('ana')
  const first = await askForToken(ana, 'first@example.test')
  world.clock.advance(1000)
  const second = await askForToken(ana, 'second@example.test')
  expect(await refused(confirm(first))).toMatchObject(invalid)
  world.clock.advance(60 * 60_000)
  expect(await refused(confirm(second))).toMatchObject(invalid)
  const third = await askForToken(ana, 'third@example.test')
  world.clock.advance(1000)
  const newPassword = 'another long password'
  await ana.security.changePassword({ body: { currentPassword: password, newPassword } })
  expect(await refused(confirm(third))).toMatchObject(invalid)
  await ana.security.changePassword({
    body: { currentPassword: newPassword, newPassword: password },
  })
  world.clock.advance(1000)
  await world.visitor().security.forgotPassword({ body: { email: oldEmail } })
  await world.runJobs()
  const forgotten = tokenIn(world.mails.to(oldEmail).at(-1))
  world.clock.advance(1000)
  await confirm(await askForToken(ana, 'fourth@example.test'))
  const body = { token: forgotten, newPassword }
  expect(await refused(world.visitor().security.resetPassword({ body }))).toMatchObject(invalid)
})

test('a token for one purpose does not work for another', async () => {
  const ana = await world.as('ana')
  const token = await askForToken(ana)
  const body = { token, newPassword: 'another long password' }
  expect(await refused(world.visitor().security.resetPassword({ body }))).toMatchObject(invalid)
  await confirm(token)
})

test('a wrong password, and an old sign-in of an account without a password, are refused', async () => {
  const ana = await world.as('ana')
  const wrong = { email: newEmail, currentPassword: 'a wrong password' }
  expect(await refused(ana.security.changeEmail({ body: wrong }))).toMatchObject({
    status: 401,
    body: { message: 'Invalid credentials' },
  })
  await world.ctx.db.updateTable('users').set({ password_hash: null }).execute()
  await ana.security.changeEmail({ body: { email: newEmail } })
  world.clock.advance(11 * 60_000)
  expect(await refused(ana.security.changeEmail({ body: { email: newEmail } }))).toMatchObject({
    status: 401,
    body: { code: 'REAUTHENTICATION_REQUIRED' },
  })
})

test('requests from one address are limited', async () => {
  const limited = await createWorld({
    ...world.mails.settings,
    RATE_LIMIT_MAIL: '1/3600',
    RATE_LIMIT_AUTH: '1/900',
  })
  const ana = await limited.as('ana')
  await ask(ana)
  expect((await refused(ask(ana))).status).toBe(429)
  expect(
    (await refused(limited.visitor().security.confirmEmail({ body: { token: 'x' } }))).status,
  ).toBe(400)
  expect(
    (await refused(limited.visitor().security.confirmEmail({ body: { token: 'x' } }))).status,
  ).toBe(429)
  await limited.close()
})
