/**
 * Every change of an account appears in the activity log and, where mail is configured, in a mail to its
 * owner (contract 14). Neither contains a secret. A new endpoint fails here until it is listed with its
 * change, or as one without a change.
 */
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import { mailWordsIn, notices } from '../../src/server/features/mail/mail-words.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { withKey } from '../support/key-world.ts'
import { tokenIn } from '../support/mail-server.ts'
import type { MailWorld } from '../support/mail-world.ts'
import { createMailWorld } from '../support/mail-world.ts'
import { addPasskey, site, turnOnSecondFactor } from '../support/sign-in-methods.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { password, refused } from '../support/world.ts'

const email = 'ana@example.test'
const newPassword = 'another long password'

let world: MailWorld
let ana: Person
let admin: Person
let anaId: string

useWorld(createMailWorld, async (made) => {
  world = made
  ana = await world.as('ana')
  anaId = (await ana.accounts.currentUser()).id
  admin = world.visitor()
  await admin.accounts.devSignIn()
})

const makeKey = () => ana.keys.create({ body: { name: 'A', scopes: ['sessions:read'] } })

async function mailedToken(to: string): Promise<string> {
  await world.runJobs()
  return tokenIn(world.mails.to(to).at(-1))
}

/**
 * The effect of an endpoint on an account: the action that it logs. `run` returns secrets that must
 * appear in neither log nor mail.
 */
type Change = { readonly action: string; readonly run: () => Promise<readonly string[]> }

/** Each `run` returns the secrets that its endpoint handles. */
const changes: Readonly<Record<string, Change>> = {
  'security.changePassword': {
    action: 'password_changed',
    async run() {
      await ana.security.changePassword({ body: { currentPassword: password, newPassword } })
      return [password, newPassword]
    },
  },
  'security.resetPassword': {
    action: 'password_reset',
    async run() {
      await world.visitor().security.forgotPassword({ body: { email } })
      const token = await mailedToken(email)
      await world.visitor().security.resetPassword({ body: { token, newPassword } })
      return [token, newPassword]
    },
  },
  'security.confirmEmail': {
    action: 'email_changed',
    async run() {
      const body = { email: 'new@example.test', currentPassword: password }
      await ana.security.changeEmail({ body })
      const token = await mailedToken('new@example.test')
      await world.visitor().security.confirmEmail({ body: { token } })
      return [token, password]
    },
  },
  'security.endSignIn': {
    action: 'sign_in_ended',
    async run() {
      const other = world.visitor()
      await other.accounts.signIn({ body: { email, password } })
      const list = await ana.security.listSignIns()
      const id = list.find(({ isCurrent }) => !isCurrent)?.id ?? ''
      await ana.security.endSignIn({ params: { id } })
      return [cookieOf(other)]
    },
  },
  'security.endOtherSignIns': {
    action: 'sign_in_ended',
    async run() {
      await ana.security.endOtherSignIns()
      return [cookieOf(ana)]
    },
  },
  'passkeys.add': {
    action: 'passkey_added',
    async run() {
      await addPasskey(ana)
      return []
    },
  },
  'passkeys.remove': {
    action: 'passkey_removed',
    async run() {
      const { id } = (await addPasskey(ana)).passkey
      await ana.passkeys.remove({ params: { id } })
      return []
    },
  },
  'secondFactor.confirm': {
    action: 'totp_enabled',
    async run() {
      const { secret, recoveryCodes } = await turnOnSecondFactor(ana, world)
      return [secret, ...recoveryCodes]
    },
  },
  'secondFactor.remove': {
    action: 'totp_disabled',
    async run() {
      const { secret } = await turnOnSecondFactor(ana, world)
      await ana.secondFactor.remove({ body: { currentPassword: password } })
      return [secret, password]
    },
  },
  'keys.create': {
    action: 'key_created',
    run: async () => [(await makeKey()).key],
  },
  'keys.remove': {
    action: 'key_removed',
    async run() {
      const { id, key } = await makeKey()
      await ana.keys.remove({ params: { id } })
      return [key]
    },
  },
  'accounts.updateProfile': {
    action: 'profile_updated',
    async run() {
      await ana.accounts.updateProfile({ body: { firstName: 'Anna' } })
      return []
    },
  },
  'accounts.verifyAge': {
    action: 'age_verification_updated',
    async run() {
      await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
      return ['1990-01-01']
    },
  },
  'accounts.signIn': {
    action: 'login',
    async run() {
      await world.visitor().accounts.signIn({ body: { email, password } })
      return [password]
    },
  },
  'passkeys.signIn': {
    action: 'login',
    async run() {
      const device = createAuthenticator(site)
      const response = device.register(await ana.passkeys.registrationOptions())
      await ana.passkeys.add({ body: { name: 'A phone', response } })
      const visitor = world.visitor()
      const signed = device.sign(await visitor.passkeys.signInOptions())
      await visitor.passkeys.signIn({ body: { response: signed } })
      return [cookieOf(visitor)]
    },
  },
  'admin.changeUser': {
    action: 'admin_changed',
    async run() {
      await admin.admin.changeUser({ params: { id: anaId }, body: { isActive: false } })
      return []
    },
  },
  'credits.grant': {
    action: 'admin_changed',
    async run() {
      await admin.credits.grant({ params: { id: anaId }, body: { amount: 5, reason: 'A gift' } })
      return []
    },
  },
}

/** Endpoints that leave the account unchanged, with the reason. */
const noChanges: Readonly<Record<string, string>> = {
  'security.forgotPassword': 'asks for a mail; nothing counts before its token does',
  'security.changeEmail': 'asks for a mail; nothing counts before its token does',
  'secondFactor.begin': 'nothing counts before its first code does',
  'passkeys.registrationOptions': 'a challenge',
  'passkeys.signInOptions': 'a challenge',
  'passkeys.rename': 'what its owner calls it opens nothing',
  'accounts.register': 'makes the account, whose first action is its login',
  'accounts.signOut': 'the own browser, on purpose',
  'accounts.deleteAccount': 'takes the account away, and its name out of the log',
  'accounts.completeOnboarding': 'what its owner likes to see',
  'accounts.changeInterests': 'what its owner likes to see',
  'accounts.resetOnboarding': 'what its owner likes to see',
}

function cookieOf(person: Person): string {
  return person.jar.get('connect.sid') ?? 'no cookie'
}

async function logged(action: string) {
  const { rows } = await sql<{ text: string }>`
    select entry::text as text from activity_log entry
    where action = ${action} and (user_id = ${anaId} or target_user_id = ${anaId})`.execute(
    world.ctx.db,
  )
  return rows
}

test('every endpoint that could change an account is listed here', () => {
  const meant = endpoints.filter(
    ({ name, endpoint: { method, path } }) =>
      method !== 'GET' &&
      (/^\/api\/(auth|login|user\/(onboarding|interests)|admin\/users)(\/|$)/.test(path) ||
        /^(accounts|security|passkeys|secondFactor|keys)\./.test(name)),
  )
  const known = [...Object.keys(changes), ...Object.keys(noChanges)]
  expect(meant.map(({ name }) => name).toSorted()).toEqual(known.toSorted())
})

describe.each(Object.entries(changes))('%s', (_, { action, run }) => {
  test(`is logged as ${action}, mailed if it changes a sign-in method, and contains no secret`, async () => {
    const before = (await logged(action)).length
    const secrets = await run()
    await world.runJobs()
    const entries = await logged(action)
    expect(entries.length).toBeGreaterThan(before)
    const notice = notices.find((one) => one === action)
    const subject = notice && mailWordsIn('en').words.notices[notice].subject
    const told = world.mails.to(email).filter((mail) => mail.subject === subject)
    expect(told).toHaveLength(notice === undefined ? 0 : 1)
    const all = JSON.stringify([entries, told.map(({ raw, text, html }) => [raw, text, html])])
    for (const secret of secrets) expect(all).not.toContain(secret)
  })
})

describe('what a new password ends', () => {
  async function stage() {
    const device = createAuthenticator(site)
    const response = device.register(await ana.passkeys.registrationOptions())
    await ana.passkeys.add({ body: { name: 'A phone', response } })
    const { key } = await makeKey()
    const other = world.visitor()
    await other.accounts.signIn({ body: { email, password } })
    const isIn = (call: Promise<unknown>) =>
      call.then(
        () => true,
        () => false,
      )
    const byPasskey = async () => {
      const visitor = world.visitor()
      const signed = device.sign(await visitor.passkeys.signInOptions())
      return isIn(visitor.passkeys.signIn({ body: { response: signed } }))
    }
    return async () => ({
      here: await isIn(ana.accounts.currentUser()),
      elsewhere: await isIn(other.accounts.currentUser()),
      key: await isIn(withKey(world, key).sessions.list()),
      passkey: await byPasskey(),
    })
  }

  test('a change keeps this browser, keys and passkeys', async () => {
    const signInMethods = await stage()
    await ana.security.changePassword({ body: { currentPassword: password, newPassword } })
    expect(await signInMethods()).toEqual({
      here: true,
      elsewhere: false,
      key: true,
      passkey: true,
    })
  })

  test('a reset ends all browsers, keys and the passkeys of the last week', async () => {
    const signInMethods = await stage()
    await changes['security.resetPassword']?.run()
    expect(await signInMethods()).toEqual({
      here: false,
      elsewhere: false,
      key: false,
      passkey: false,
    })
    expect((await refused(ana.accounts.currentUser())).status).toBe(401)
  })
})
