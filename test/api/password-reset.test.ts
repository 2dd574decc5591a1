/** A password reset removes what a thief may have added to the account (contract, section 14). */
import { describe, expect, test } from 'vitest'
import { parseCommand } from '../../src/server/commands/admin-commands.ts'
import { shownCode } from '../support/authenticator-app.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { tokenIn } from '../support/mail-server.ts'
import type { MailWorld } from '../support/mail-world.ts'
import { createMailWorld } from '../support/mail-world.ts'
import { addPasskey, site, turnOnSecondFactor } from '../support/sign-in-methods.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { password, refused } from '../support/world.ts'

const email = 'ana@example.test'
const newPassword = 'another long password'
const dayMs = 24 * 3600_000

let world: MailWorld
let ana: Person
let ben: Person

useWorld(createMailWorld, async (made) => {
  world = made
  ana = await world.as('ana')
  ben = await world.as('ben')
})

const proof = { currentPassword: password }

async function passkeySignIn({ device }: Awaited<ReturnType<typeof addPasskey>>) {
  const person = world.visitor()
  const response = device.sign(await person.passkeys.signInOptions())
  await person.passkeys.signIn({ body: { response } })
  return person
}

async function askForToken(headers = {}): Promise<string> {
  await world.visitor(headers).security.forgotPassword({ body: { email } })
  await world.runJobs()
  return tokenIn(world.mails.to(email).at(-1))
}

async function reset(headers = {}) {
  const token = await askForToken(headers)
  return world.visitor(headers).security.resetPassword({ body: { token, newPassword } })
}

const run = (...words: string[]) => parseCommand(words)(world.ctx)

const signIn = async (given = newPassword) => {
  const person = world.visitor()
  await person.accounts.signIn({ body: { email, password: given } })
  return person
}

describe('a reset by mail', () => {
  test('ends the passkeys and the second factor of the last seven days, and no older ones', async () => {
    const old = await addPasskey(ana, { proof })
    world.clock.advance(8 * dayMs)
    ana = await signIn(password)
    ben = world.visitor()
    await ben.accounts.signIn({ body: { email: 'ben@example.test', password } })
    const thiefs = await addPasskey(ana, { proof })
    await turnOnSecondFactor(ana, world, proof)
    const bens = await addPasskey(ben, { proof })
    world.clock.advance(6 * dayMs)
    const answer = await reset()
    expect(answer).toEqual({
      message:
        'Password set. These were added in the last 7 days and have been removed: 1 passkey and two-factor authentication. These remain: 1 passkey.',
      removed: { passkeys: 1, secondFactor: true },
      remaining: { passkeys: 1, secondFactor: false },
    })
    expect((await refused(passkeySignIn(thiefs))).status).toBe(401)
    await passkeySignIn(old)
    await passkeySignIn(bens)
    expect(await (await signIn()).passkeys.list()).toHaveLength(1)
    await world.runJobs()
    expect(world.mails.to(email).at(-1)?.text).toContain(
      'These were added in the last 7 days and have been removed: 1 passkey and two-factor authentication. These remain: 1 passkey.',
    )
    const [logged] = await world.ctx.db
      .selectFrom('activity_log')
      .select('details')
      .where('action', '=', 'password_reset')
      .execute()
    const { message: _, ...counts } = answer
    expect(logged?.details).toEqual(counts)
  })

  test('keeps an older second factor, and says so in German too', async () => {
    await turnOnSecondFactor(ana, world, proof)
    world.clock.advance(8 * dayMs)
    const german = { 'accept-language': 'de' }
    expect(await reset(german)).toMatchObject({
      message:
        'Password set. No passkey and no two-factor authentication was added in the last 7 days. These remain: two-factor authentication.',
      removed: { passkeys: 0, secondFactor: false },
      remaining: { passkeys: 0, secondFactor: true },
    })
    expect((await refused(signIn())).body).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
    await world.runJobs()
    expect(world.mails.to(email).at(-1)?.text).toContain(
      'Es bleiben: die Zwei-Faktor-Authentifizierung.',
    )
  })

  test('removes a second factor that was not confirmed', async () => {
    const { secret } = await ana.secondFactor.begin()
    expect(await reset()).toMatchObject({ removed: { passkeys: 0, secondFactor: false } })
    const owner = await signIn()
    const code = shownCode(secret, world.clock.now())
    expect((await refused(owner.secondFactor.confirm({ body: { code } }))).status).toBe(400)
  })

  test('wins over changes and sign-ins at the same moment', async () => {
    const device = await addPasskey(ana, { proof })
    const others = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const maker = createAuthenticator(site)
        return maker.register(await ana.passkeys.registrationOptions())
      }),
    )
    const { secret } = await ana.secondFactor.begin()
    const code = shownCode(secret, world.clock.now())
    const token = await askForToken()
    const [done, ...attempts] = await Promise.allSettled([
      world.visitor().security.resetPassword({ body: { token, newPassword } }),
      passkeySignIn(device),
      passkeySignIn(device),
      ana.secondFactor.confirm({ body: { code } }),
      ...others.map((response) => ana.passkeys.add({ body: { name: 'Late', response } })),
      ...['a', 'b', 'c'].map((name) => ana.keys.create({ body: { name, scopes: ['rooms'] } })),
    ])
    expect(done.status).toBe('fulfilled')
    expect(attempts).toHaveLength(9)
    const owner = await signIn()
    expect(await owner.passkeys.list()).toEqual([])
    expect(await owner.keys.list()).toEqual([])
    expect(await owner.security.listSignIns()).toHaveLength(1)
    expect((await owner.accounts.currentUser()).hasSecondFactor).toBe(false)
  })
})

describe('from the command line', () => {
  test('a new password ends the same sign-ins and keys', async () => {
    const device = await addPasskey(ana, { proof })
    await turnOnSecondFactor(ana, world, proof)
    const said = await run('password', email)
    expect(said).toContain('have been removed: 1 passkey and two-factor authentication')
    const given = /has the new password (\S+) and /.exec(said)?.[1] ?? ''
    await signIn(given)
    expect((await refused(passkeySignIn(device))).status).toBe(401)
  })

  test('a second factor is removed, logged and reported by mail', async () => {
    await turnOnSecondFactor(ana, world, proof)
    expect((await refused(signIn(password))).status).toBe(401)
    expect(await run('second-factor', 'ANA@example.test')).toBe(
      'ANA@example.test now signs in without two-factor authentication',
    )
    await signIn(password)
    expect(await run('second-factor', email)).toBe(
      `${email} does not use two-factor authentication`,
    )
    await world.runJobs()
    expect(world.mails.to(email)).toHaveLength(2)
    const logged = await world.ctx.db
      .selectFrom('activity_log')
      .select(['user_id', 'details'])
      .where('action', '=', 'totp_disabled')
      .execute()
    expect(logged).toEqual([{ user_id: null, details: { by: 'command line' } }])
    await expect(run('second-factor', 'nobody@example.test')).rejects.toThrow('there is no account')
  })
})
