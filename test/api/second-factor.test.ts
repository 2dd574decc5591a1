/** Two-factor authentication (contract 14): codes of an app, each valid once, and recovery codes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shownCode } from '../support/authenticator-app.ts'
import { turnOnSecondFactor } from '../support/sign-in-methods.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: World
let ana: Person

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  await world.reset()
  ana = await world.as('ana')
})
afterAll(() => world.close())

const email = 'ana@example.test'
const stepMs = 30_000

/** Returns the app's code for this secret, some steps ahead. */
function shown(secret: string, steps = 0, at = world): string {
  return shownCode(secret, at.clock.now(), steps)
}

async function turnOn(person = ana, at = world) {
  const made = await turnOnSecondFactor(person, at)
  // Each code is valid once, and this one was used.
  at.clock.advance(stepMs)
  return made
}

function signIn(code?: string, at = world) {
  return at.visitor().accounts.signIn({
    body: { email, password, ...(code === undefined ? {} : { code }) },
  })
}

const entriesOf = async (action: string) =>
  world.ctx.db.selectFrom('activity_log').selectAll().where('action', '=', action).execute()

describe('turning it on', () => {
  test('returns a secret that takes effect when one of its codes is confirmed', async () => {
    const { secret, uri } = await ana.secondFactor.begin()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toBe(
      `otpauth://totp/Lanternist:ana%40example.test?secret=${secret}&issuer=Lanternist&algorithm=SHA1&digits=6&period=30`,
    )
    await signIn()
    const wrong = shown(secret, 5)
    expect(await refused(ana.secondFactor.confirm({ body: { code: wrong } }))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_CODE' },
    })
    await signIn()
    const { secret: second } = await ana.secondFactor.begin()
    expect(second).not.toBe(secret)
    const code = shown(second)
    const { recoveryCodes } = await ana.secondFactor.confirm({ body: { code } })
    expect(recoveryCodes).toHaveLength(10)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await ana.accounts.currentUser()).hasSecondFactor).toBe(true)
    expect(await entriesOf('totp_enabled')).toHaveLength(1)
    expect(await refused(ana.secondFactor.begin())).toMatchObject({
      status: 400,
      body: { code: 'ALREADY_EXISTS' },
    })
    expect(await refused(ana.secondFactor.confirm({ body: { code } }))).toMatchObject({
      body: { code: 'INVALID_CODE' },
    })
  })

  test('stores nothing from which codes could be made', async () => {
    const { secret, recoveryCodes } = await turnOn()
    const kept = JSON.stringify([
      await world.ctx.db.selectFrom('totp_secrets').selectAll().execute(),
      await world.ctx.db.selectFrom('recovery_codes').selectAll().execute(),
      await world.ctx.db.selectFrom('activity_log').selectAll().execute(),
    ])
    for (const code of [secret, ...recoveryCodes]) expect(kept).not.toContain(code)
  })

  test('needs an account with a password', async () => {
    const developer = world.visitor()
    await developer.accounts.devSignIn()
    expect(await refused(developer.secondFactor.begin())).toMatchObject({ status: 400 })
  })

  test('of twenty concurrent confirmations, one gets the recovery codes', async () => {
    const { secret } = await ana.secondFactor.begin()
    const code = shown(secret)
    const confirm = () => ana.secondFactor.confirm({ body: { code } })
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, confirm))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await world.ctx.db.selectFrom('recovery_codes').selectAll().execute()).toHaveLength(10)
  })
})

describe('signing in', () => {
  test('asks for a code after the right password, and not after a wrong one', async () => {
    const { secret } = await turnOn()
    expect(await refused(signIn())).toMatchObject({
      status: 401,
      body: { code: 'SECOND_FACTOR_REQUIRED', message: expect.not.stringMatching('Invalid') },
    })
    const body = { email, password: 'another long password' }
    expect((await refused(world.visitor().accounts.signIn({ body }))).body).toEqual({
      message: 'Invalid credentials',
    })
    expect((await refused(signIn('000000'))).body).toEqual({
      message: 'Invalid credentials',
      code: 'SECOND_FACTOR_REQUIRED',
    })
    await signIn(shown(secret))
  })

  test('accepts the previous and next step, and each step once', async () => {
    const { secret, code } = await turnOn()
    world.clock.advance(3 * stepMs)
    expect(await refused(signIn(code))).toMatchObject({ status: 401 })
    for (const steps of [-2, 2])
      expect((await refused(signIn(shown(secret, steps)))).status).toBe(401)
    await signIn(shown(secret, -1))
    expect(await refused(signIn(shown(secret, -1)))).toMatchObject({ status: 401 })
    await signIn(` ${shown(secret, 1).slice(0, 3)} ${shown(secret, 1).slice(3)}`)
    // A code of a step before the last used one is refused too.
    expect(await refused(signIn(shown(secret)))).toMatchObject({ status: 401 })
  })

  test('of twenty concurrent uses of one code, one succeeds', async () => {
    const { secret, recoveryCodes } = await turnOn()
    for (const code of [shown(secret), recoveryCodes[0]]) {
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => signIn(code)))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  test('a recovery code works once, in any spelling, only for its owner', async () => {
    const { recoveryCodes } = await turnOn()
    const [first = '', second = ''] = recoveryCodes
    await signIn(first.toUpperCase().replaceAll('-', ' '))
    expect(await refused(signIn(first))).toMatchObject({ status: 401 })
    const bo = await world.as('bo')
    await turnOn(bo)
    const body = { email: 'bo@example.test', password, code: second }
    expect(await refused(world.visitor().accounts.signIn({ body }))).toMatchObject({ status: 401 })
    await signIn(second)
  })

  test('a browser’s form is redirected to the page that asks for the code', async () => {
    const { secret } = await turnOn()
    const send = (code: string) =>
      world.visitor().fetch('/api/login?redirect=%2Fvault', {
        method: 'POST',
        headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ email, password, code }),
      })
    for (const code of ['', '000000']) {
      const asked = await send(code)
      expect([asked.status, asked.headers.get('location')]).toEqual([302, '/login?code=required'])
      expect(asked.headers.getSetCookie()).toEqual([])
    }
    const passed = await send(shown(secret))
    expect([passed.status, passed.headers.get('location')]).toEqual([302, '/vault'])
  })
})

describe('limits', () => {
  const limited = () => createWorld({ RATE_LIMIT_AUTH: '5/900', TRUSTED_PROXIES: '127.0.0.1' })

  test('the request for a code is no failure; wrong codes are, for the address', async () => {
    const narrow = await limited()
    try {
      const { secret } = await turnOn(await narrow.as('ana'), narrow)
      for (let tries = 0; tries < 8; tries += 1)
        expect((await refused(signIn(undefined, narrow))).status).toBe(401)
      for (let tries = 0; tries < 5; tries += 1)
        expect((await refused(signIn('000000', narrow))).status).toBe(401)
      expect((await refused(signIn(shown(secret, 0, narrow), narrow))).status).toBe(429)
    } finally {
      await narrow.close()
    }
  })

  test('wrong codes are limited by account too, from any number of addresses', async () => {
    const narrow = await limited()
    try {
      const { secret } = await turnOn(await narrow.as('ana'), narrow)
      const from = (host: number, code: string) =>
        narrow.visitor({ 'x-forwarded-for': `198.51.100.${host}` }).accounts.signIn({
          body: { email, password, code },
        })
      for (let host = 1; host <= 5; host += 1)
        expect((await refused(from(host, '000000'))).status).toBe(401)
      expect((await refused(from(6, shown(secret, 0, narrow)))).status).toBe(429)
      narrow.clock.advance(900_000)
      await from(7, shown(secret, 0, narrow))
    } finally {
      await narrow.close()
    }
  })
})

describe('turning it off', () => {
  test('needs the password', async () => {
    await turnOn()
    const remove = (currentPassword?: string) =>
      ana.secondFactor.remove({ body: { currentPassword } })
    expect(await refused(remove('not the password'))).toMatchObject({
      status: 401,
      message: 'Invalid credentials',
    })
    expect(await refused(remove())).toMatchObject({ status: 400 })
    await remove(password)
    await signIn()
    expect(await entriesOf('totp_disabled')).toHaveLength(1)
    expect(await world.ctx.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([])
    expect((await ana.accounts.currentUser()).hasSecondFactor).toBe(false)
  })

  test('needs a recent sign-in if there is no password any more', async () => {
    await turnOn()
    await world.ctx.db.updateTable('users').set({ password_hash: null }).execute()
    world.clock.advance(11 * 60_000)
    expect(await refused(ana.secondFactor.remove({ body: {} }))).toMatchObject({
      status: 401,
      body: { code: 'REAUTHENTICATION_REQUIRED' },
    })
    expect(await world.ctx.db.selectFrom('totp_secrets').selectAll().execute()).toHaveLength(1)
  })
})
