/** Changing a password, and resetting a forgotten one (contract, section 14). */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { tokenIn } from '../support/mail-server.ts'
import type { MailWorld } from '../support/mail-world.ts'
import { createMailWorld } from '../support/mail-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

const email = 'ana@example.test'
const newPassword = 'another long password'

let world: MailWorld

useWorld(createMailWorld, async (made) => {
  world = made
})

const signInWith = async (given: string): Promise<Person> => {
  const person = world.visitor()
  await person.accounts.signIn({ body: { email, password: given } })
  return person
}

const activityOf = (action: string) =>
  world.ctx.db.selectFrom('activity_log').selectAll().where('action', '=', action).execute()

/** Asks for a password reset and returns the token from the mail. */
async function askForToken(address = email): Promise<string> {
  await world.visitor().security.forgotPassword({ body: { email: address } })
  await world.runJobs()
  return tokenIn(world.mails.to(address.trim().toLowerCase()).at(-1))
}

const reset = (token: string, given = newPassword) =>
  world.visitor().security.resetPassword({ body: { token, newPassword: given } })

/** Returns all text in the database outside the users' own columns. */
async function everythingKept(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'pgboss')`.execute(world.ctx.db)
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ text: string }>`select one::text as text
        from ${sql.raw(name)} one`.execute(world.ctx.db)
      return rows.map(({ text }) => text).join('\n')
    }),
  )
  return texts.join('\n')
}

describe('changing a password', () => {
  test('every other browser is signed out; this one and other accounts stay', async () => {
    const [ana, ben] = [await world.as('ana'), await world.as('ben')]
    const elsewhere = await signInWith(password)
    await ana.security.changePassword({ body: { currentPassword: password, newPassword } })
    await ana.accounts.currentUser()
    await ben.accounts.currentUser()
    expect((await refused(elsewhere.accounts.currentUser())).status).toBe(401)
    expect((await refused(signInWith(password))).status).toBe(401)
    await signInWith(newPassword)
  })

  test('the cookie of this browser changes, so that a copy of it is useless', async () => {
    const ana = await world.as('ana')
    // A day later the request would renew the cookie too. The new cookie has to win.
    world.clock.advance(25 * 3600_000)
    const thief = world.visitor({ cookie: ana.jar.header() })
    const [before] = await ana.security.listSignIns()
    world.clock.advance(25 * 3600_000)
    await ana.security.changePassword({ body: { currentPassword: password, newPassword } })
    expect((await refused(thief.accounts.currentUser())).status).toBe(401)
    const after = await ana.security.listSignIns()
    expect(after).toMatchObject([
      { id: before?.id, createdAt: before?.createdAt, isCurrent: true, kind: 'browser' },
    ])
  })

  test('it is logged and mailed, without a password', async () => {
    const ana = await world.as('ana')
    await ana.security.changePassword({ body: { currentPassword: password, newPassword } })
    await world.runJobs()
    const [entry] = await activityOf('password_changed')
    const { id } = await ana.accounts.currentUser()
    expect(entry).toMatchObject({ user_id: id, feature: 'authentication', details: {} })
    expect(world.mails.mails).toHaveLength(1)
    expect(world.mails.mails[0]).toMatchObject({ to: email, subject: 'Your password was changed' })
    const kept = (await everythingKept()) + world.mails.mails[0]?.raw
    expect(kept).not.toContain(password)
    expect(kept).not.toContain(newPassword)
  })

  test('body, limit, current password and weakness are checked in this order', async () => {
    const limited = await createWorld({ ...world.mails.settings, RATE_LIMIT_AUTH: '2/900' })
    const ana = await limited.as('ana')
    const change = (currentPassword: string | undefined, given: string) =>
      refused(
        ana.security.changePassword({
          body: { ...(currentPassword !== undefined && { currentPassword }), newPassword: given },
        }),
      )
    const weak = await change(password, 'Qwertyuiop')
    expect(weak).toMatchObject({ status: 400, body: { code: 'WEAK_PASSWORD' } })
    expect((await change(undefined, newPassword)).body).toMatchObject({
      message: 'Validation failed: currentPassword is required',
    })
    for (let n = 0; n < 2; n += 1)
      expect(await change('a wrong password', 'Qwertyuiop')).toMatchObject({
        status: 401,
        body: { message: 'Invalid credentials' },
      })
    // Only wrong passwords counted, and no other account shares this bucket.
    expect((await change(password, 'short')).status).toBe(400)
    const tired = await change(password, newPassword)
    expect(tired.status).toBe(429)
    expect(Number(tired.headers.get('retry-after'))).toBeGreaterThan(0)
    await limited.visitor().accounts.signIn({ body: { email, password } })
    await limited.close()
  })

  test('an account without a password sets one soon after signing in, and not later', async () => {
    const ana = await world.as('ana')
    await world.ctx.db
      .updateTable('users')
      .set({ password_hash: null })
      .where('email', '=', email)
      .execute()
    expect(await ana.accounts.currentUser()).toMatchObject({ hasPassword: false })
    world.clock.advance(11 * 60_000)
    expect(await refused(ana.security.changePassword({ body: { newPassword } }))).toMatchObject({
      status: 401,
      body: { code: 'REAUTHENTICATION_REQUIRED' },
    })
    world.clock.advance(-5 * 60_000)
    await ana.security.changePassword({ body: { newPassword } })
    await signInWith(newPassword)
  })

  test('the most used passwords are refused, in upper and lower case', async () => {
    const weak = ['Password123', ' QWERTYUIOP', 'averylongname', 'AVeryLongName@example.test']
    for (const given of weak) {
      const body = { email: 'averylongname@example.test', password: given }
      expect(await refused(world.visitor().accounts.register({ body }))).toMatchObject({
        status: 400,
        body: { code: 'WEAK_PASSWORD' },
      })
    }
    const body = { email, password: 'Lanternist' }
    expect((await refused(world.visitor().accounts.register({ body }))).body).toMatchObject({
      code: 'WEAK_PASSWORD',
    })
  })

  test('passwords from the environment cannot be changed', async () => {
    const dev = world.visitor()
    await dev.accounts.devSignIn()
    const fixed = { status: 403, body: { code: 'NOT_CHANGEABLE' } }
    const body = { currentPassword: 'dev-password-1', newPassword }
    expect(await refused(dev.security.changePassword({ body }))).toMatchObject(fixed)
    expect(
      await refused(
        dev.security.changeEmail({ body: { email, currentPassword: 'dev-password-1' } }),
      ),
    ).toMatchObject(fixed)
    expect(await refused(reset(await askForToken('dev1@example.test')))).toMatchObject(fixed)
  })

  test('a concurrent sign-in with the old password ends with the change', async () => {
    const ana = await world.as('ana')
    const [changed, ...others] = await Promise.allSettled([
      ana.security.changePassword({ body: { currentPassword: password, newPassword } }),
      ...Array.from({ length: 4 }, () => signInWith(password)),
    ])
    expect(changed.status).toBe('fulfilled')
    for (const other of others)
      if (other.status === 'fulfilled')
        expect((await refused(other.value.accounts.currentUser())).status).toBe(401)
  })
})

describe('a forgotten password', () => {
  test('is replaced once through the link of a mail, and all sign-ins end', async () => {
    const ana = await world.as('ana')
    const token = await askForToken(' ANA@example.test ')
    expect(world.mails.mails[0]).toMatchObject({ subject: 'Set a new password for Lanternist' })
    expect(world.mails.mails[0]?.text).toContain(
      `http://lanternist.test/reset-password?token=${token}`,
    )
    expect(world.mails.mails[0]?.html).toContain(
      `href="http://lanternist.test/reset-password?token=`,
    )
    expect(await everythingKept()).not.toContain(token)
    const response = await world.visitor().fetch('/api/auth/password/reset', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, newPassword }),
    })
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
    expect((await refused(ana.accounts.currentUser())).status).toBe(401)
    await signInWith(newPassword)
    expect(await refused(reset(token, 'a third long password'))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_TOKEN' },
    })
    await world.runJobs()
    expect(world.mails.mails.at(-1)).toMatchObject({ to: email, subject: 'A new password was set' })
    expect(await activityOf('password_reset')).toHaveLength(1)
    expect(await everythingKept()).not.toContain(token)
  })

  test('a token expires after an hour, with a later one, or with a changed password', async () => {
    const ana = await world.as('ana')
    const invalid = { status: 400, body: { code: 'INVALID_TOKEN' } }
    for (const wrong of ['made-up', '', 'x'.repeat(201), 'x'.repeat(100_000)])
      expect(await refused(reset(wrong))).toMatchObject(invalid)
    const first = await askForToken()
    world.clock.advance(1000)
    const second = await askForToken()
    expect(await refused(reset(first))).toMatchObject(invalid)
    world.clock.advance(60 * 60_000)
    expect(await refused(reset(second))).toMatchObject(invalid)
    const third = await askForToken()
    world.clock.advance(1000)
    await ana.security.changePassword({ body: { currentPassword: password, newPassword } })
    expect(await refused(reset(third))).toMatchObject(invalid)
    await world.ctx.queue.send(world.ctx.db, 'sweep-sign-ins', {}, {})
    await world.runJobs()
    expect(await world.ctx.db.selectFrom('account_tokens').selectAll().execute()).toEqual([])
  })

  test('a mail that was requested before a password change is not sent after it', async () => {
    const ana = await world.as('ana')
    await world.visitor().security.forgotPassword({ body: { email } })
    await ana.security.changePassword({ body: { currentPassword: password, newPassword } })
    await world.runJobs()
    expect(world.mails.mails.map(({ subject }) => subject)).toEqual(['Your password was changed'])
  })

  test('a refused new password does not use up the token', async () => {
    await world.as('ana')
    const token = await askForToken()
    for (const given of ['short', 'password123', email])
      expect((await refused(reset(token, given))).status).toBe(400)
    await reset(token)
  })

  test('of twenty concurrent uses of one token, one succeeds', async () => {
    await world.as('ana')
    const token = await askForToken()
    const passwords = Array.from({ length: 20 }, (_, n) => `the long password no ${n}`)
    const outcomes = await Promise.allSettled(passwords.map((given) => reset(token, given)))
    const winners = passwords.filter((_, n) => outcomes[n]?.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    await signInWith(winners[0] ?? '')
    expect(await activityOf('password_reset')).toHaveLength(1)
  })

  test('the response does not reveal whether the account exists, and a disabled account gets no mail', async () => {
    await world.as('ana')
    await world.as('ida')
    await world.ctx.db
      .updateTable('users')
      .set({ is_active: false })
      .where('email', '=', 'ida@example.test')
      .execute()
    const answers = await Promise.all(
      [email, 'nobody@example.test', 'ida@example.test'].map((address) =>
        world.visitor().security.forgotPassword({ body: { email: address } }),
      ),
    )
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1)
    await world.runJobs()
    expect(world.mails.mails.map(({ to }) => to)).toEqual([email])
  })

  test('a token of a disabled account does not work', async () => {
    await world.as('ana')
    const token = await askForToken()
    await world.ctx.db.updateTable('users').set({ is_active: false }).execute()
    expect((await refused(reset(token))).body).toMatchObject({ code: 'INVALID_TOKEN' })
  })

  test('an account without a password may set one so', async () => {
    await world.as('ana')
    await world.ctx.db.updateTable('users').set({ password_hash: null }).execute()
    await reset(await askForToken())
    await signInWith(newPassword)
  })

  test('mails are limited by IP and by address, wrong tokens by IP', async () => {
    const limited = await createWorld({
      ...world.mails.settings,
      RATE_LIMIT_MAIL: '2/3600',
      RATE_LIMIT_AUTH: '2/900',
    })
    const forgot = (ip: string, address: string) =>
      limited
        .visitor({ 'x-forwarded-for': ip })
        .security.forgotPassword({ body: { email: address } })
    await forgot('198.51.100.1', 'ana@example.test')
    await forgot('198.51.100.1', 'ben@example.test')
    expect((await refused(forgot('198.51.100.1', 'cy@example.test'))).status).toBe(429)
    await forgot('198.51.100.2', ' Ana@Example.test')
    expect((await refused(forgot('198.51.100.3', 'ana@example.test'))).status).toBe(429)
    const guess = () =>
      refused(limited.visitor().security.resetPassword({ body: { token: 'x', newPassword } }))
    expect([await guess(), await guess(), await guess()].map(({ status }) => status)).toEqual([
      400, 400, 429,
    ])
    await limited.close()
  })
})

describe('mail', () => {
  test('a site without mail says so', async () => {
    const mute = await createWorld()
    const ana = await mute.as('ana')
    const unavailable = { status: 503, body: { code: 'MAIL_UNAVAILABLE' } }
    expect(await refused(ana.security.forgotPassword({ body: { email } }))).toMatchObject(
      unavailable,
    )
    const body = { email: 'new@example.test', currentPassword: password }
    expect(await refused(ana.security.changeEmail({ body }))).toMatchObject(unavailable)
    expect((await mute.visitor().site.read()).mail).toBe(false)
    expect((await world.visitor().site.read()).mail).toBe(true)
    await ana.security.changePassword({ body: { currentPassword: password, newPassword } })
    await mute.close()
  })

  test('is written in the visitor’s language, and escapes the name of the site', async () => {
    await world.as('ana')
    const admin = world.visitor()
    await admin.accounts.devSignIn()
    await admin.admin.changeSettings({ body: { siteName: 'Light & <Shade>' } })
    const german = world.visitor({ 'accept-language': 'de-AT,de;q=0.9' })
    await german.security.forgotPassword({ body: { email } })
    await world.runJobs()
    expect(world.mails.mails[0]?.subject).toBe('Neues Passwort für Light & <Shade> setzen')
    expect(world.mails.mails[0]?.text).toContain('Der Link gilt einmal')
    expect(world.mails.mails[0]?.html).toContain('Light &#38; &#60;Shade&#62;')
    expect(world.mails.mails[0]?.html).not.toContain('<Shade>')
    expect(world.mails.mails[0]?.raw).toContain('Auto-Submitted: auto-generated')
  })

  test('is tried again while the server is busy, with another token, and not if it rejects it', async () => {
    await world.as('ana')
    world.mails.mood = 'busy'
    await world.visitor().security.forgotPassword({ body: { email } })
    await world.runJobs()
    expect(world.mails.mails).toEqual([])
    world.mails.mood = 'taking'
    world.clock.advance(30_000)
    await world.runJobs()
    expect(world.mails.mails).toHaveLength(1)
    await reset(tokenIn(world.mails.mails[0]))
    world.mails.mood = 'refusing'
    await world.visitor().security.forgotPassword({ body: { email } })
    await world.runJobs()
    world.mails.mood = 'taking'
    world.clock.advance(30_000)
    expect(await world.runJobs()).toBe(0)
  })
})

test('hashing a password takes as much work as the guidelines require', async () => {
  const site = await createWorld({}, { hashesInFull: true })
  const ana = await site.as('ana')
  const { password_hash: hash } = await site.ctx.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', (await ana.accounts.currentUser()).id)
    .executeTakeFirstOrThrow()
  await site.close()
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})
