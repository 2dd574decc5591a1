import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Person, World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

const activityOf = async (action: string) =>
  await world.ctx.db.selectFrom('activity_log').selectAll().where('action', '=', action).execute()

describe('the account', () => {
  test('a new user has 50 credits as a grant, a referral code and the free tier', async () => {
    const ana = await world.as('ana')
    const user = await ana.accounts.currentUser()
    expect(user).toMatchObject({
      email: 'ana@example.test',
      firstName: 'ana',
      role: 'user',
      isActive: true,
      ageVerified: false,
      onboardingCompleted: false,
      credits: { balance: 50, tier: 'free', isLowBalance: false },
    })
    const rows = await world.ctx.db
      .selectFrom('credit_transactions')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute()
    expect(rows).toMatchObject([{ amount: 50, type: 'grant', balance_after: 50 }])
  })

  test('two people registering with one e-mail at once make one account', async () => {
    const body = { email: 'Twin@Example.test', password }
    const attempts = await Promise.allSettled(
      Array.from({ length: 5 }, () => world.visitor().accounts.register({ body })),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const second = await refused(world.visitor().accounts.register({ body }))
    expect(second).toMatchObject({ status: 400, body: { code: 'ALREADY_EXISTS' } })
  })

  test('registration refuses short passwords and things that are no e-mail address', async () => {
    const visitor = world.visitor()
    const short = await refused(
      visitor.accounts.register({ body: { email: 'b@example.test', password: '123456789' } }),
    )
    expect(short.message).toBe('Validation failed: password must have at least 10 characters')
    const noEmail = await refused(visitor.accounts.register({ body: { email: 'bo', password } }))
    expect(noEmail.message).toBe('Validation failed: email must be an e-mail address')
  })

  test('an administrator’s closed registration wins over the environment', async () => {
    await world.ctx.db
      .insertInto('settings')
      .values({ key: 'registration', value: '"closed"', updated_at: world.clock.now() })
      .execute()
    const body = { email: 'late@example.test', password }
    expect((await refused(world.visitor().accounts.register({ body }))).status).toBe(403)
    expect(await world.visitor().accounts.ways()).toMatchObject({ registration: 'closed' })
  })

  test('a role, a balance or an id in a body changes nothing', async () => {
    const visitor = world.visitor()
    await visitor.fetch('/api/auth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email: 'eve@example.test',
        password,
        role: 'admin',
        id: 'dev-user-1',
      }),
    })
    const eve = await visitor.accounts.currentUser()
    expect(eve.role).toBe('user')
    expect(eve.id).not.toBe('dev-user-1')
    const patched = await visitor.fetch('/api/auth/user', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ firstName: 'Eve', role: 'super_admin', ageVerified: true }),
    })
    expect(await patched.json()).toMatchObject({
      firstName: 'Eve',
      role: 'user',
      ageVerified: false,
    })
  })

  test('an account that was deleted while signed in is no account', async () => {
    const ana = await world.as('ana')
    const { id } = await ana.accounts.currentUser()
    await world.ctx.db.deleteFrom('credit_accounts').where('user_id', '=', id).execute()
    expect(await refused(ana.accounts.currentUser())).toMatchObject({
      status: 404,
      message: 'User not found',
    })
  })
})

describe('signing in and out', () => {
  test('JSON and form sign-ins answer 302 to the front page or to a safe redirect', async () => {
    await world.as('ana')
    const credentials = { email: 'ANA@example.test', password }
    const byJson = await world.visitor().fetch('/api/login?redirect=/library', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    })
    expect([byJson.status, byJson.headers.get('location')]).toEqual([302, '/library'])
    const byForm = await world.visitor().fetch('/api/login?redirect=//evil.test', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(credentials),
    })
    expect([byForm.status, byForm.headers.get('location')]).toEqual([302, '/'])
  })

  test('the cookie is HTTP-only, lax, of seven days, and only its hash is stored', async () => {
    await world.as('ana')
    const response = await world.visitor().fetch('/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.test', password }),
    })
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^connect\.sid=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
    const secret = cookie.slice('connect.sid='.length).split(/[.;]/)[0] ?? ''
    const { rows } = await sql<{
      text: string
    }>`select sign_ins::text as text from sign_ins`.execute(world.ctx.db)
    for (const { text } of rows) expect(text).not.toContain(secret)
  })

  test('a wrong password and an unknown e-mail fail alike, in the two forms', async () => {
    await world.as('ana')
    for (const body of [
      { email: 'ana@example.test', password: 'wrong' },
      { email: 'nobody@example.test', password },
    ]) {
      const failure = await refused(world.visitor().accounts.signIn({ body }))
      expect(failure).toMatchObject({ status: 401, body: { message: 'Invalid credentials' } })
      const page = await world.visitor().fetch('/api/login', {
        method: 'POST',
        headers: { accept: 'text/html,*/*', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(body),
      })
      expect([page.status, page.headers.get('location')]).toEqual([302, '/login'])
      expect(page.headers.getSetCookie()).toEqual([])
    }
  })

  test('a cookie planted before signing in is worth nothing after it', async () => {
    const ana = await world.as('ana')
    const planted = ana.jar.header()
    await ana.accounts.signIn({ body: { email: 'ana@example.test', password } })
    expect(ana.jar.header()).not.toBe(planted)
    const thief = world.visitor({ cookie: planted })
    expect((await refused(thief.accounts.currentUser())).status).toBe(401)
    const fixed = world.visitor()
    fixed.jar.set('connect.sid', 'chosen-by-the-attacker.signature')
    await fixed.accounts.signIn({ body: { email: 'ana@example.test', password } })
    expect(fixed.jar.get('connect.sid')).not.toContain('chosen-by-the-attacker')
  })

  test('both ways of signing out end the sign-in on the server', async () => {
    for (const leave of [
      (person: Person) => person.accounts.signOut(),
      (person: Person) => person.accounts.leave(),
    ]) {
      const person = world.visitor()
      await person.accounts.devSignIn({ query: { account: 2 } })
      const cookie = person.jar.header()
      await leave(person)
      expect(person.jar.get('connect.sid')).toBeUndefined()
      const replay = world.visitor({ cookie })
      expect(await refused(replay.accounts.currentUser())).toMatchObject({
        status: 401,
        body: { message: 'Unauthorized' },
      })
    }
  })

  test('a sign-in ends seven days after its last renewal, and is renewed once a day', async () => {
    const ana = await world.as('ana')
    const day = 24 * 3600 * 1000
    world.clock.advance(day / 2)
    const early = await ana.fetch('/api/auth/user')
    expect(early.headers.getSetCookie()).toEqual([])
    world.clock.advance(day)
    const renewed = await ana.fetch('/api/auth/user')
    expect(renewed.headers.getSetCookie()[0]).toMatch(/^connect\.sid=.*Max-Age=604800/)
    world.clock.advance(6.5 * day)
    await ana.accounts.currentUser()
    world.clock.advance(7 * day)
    expect((await refused(ana.accounts.currentUser())).status).toBe(401)
  })

  test('expired sign-ins are swept', async () => {
    const ana = await world.as('ana')
    await ana.accounts.currentUser()
    world.clock.advance(8 * 24 * 3600 * 1000)
    await world.ctx.queue.send(world.ctx.db, 'sweep-sign-ins', {}, {})
    expect(await world.runJobs()).toBe(1)
    expect(await world.ctx.db.selectFrom('sign_ins').selectAll().execute()).toEqual([])
  })

  test('an inactive account can neither sign in nor go on', async () => {
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    await world.ctx.db
      .updateTable('users')
      .set({ is_active: false })
      .where('email', '=', 'ana@example.test')
      .execute()
    const disabled = { status: 403, body: { message: 'Account is disabled' } }
    expect(await refused(ana.accounts.currentUser())).toMatchObject(disabled)
    const body = { email: 'ana@example.test', password }
    expect(await refused(world.visitor().accounts.signIn({ body }))).toMatchObject(disabled)
    expect((await bo.accounts.currentUser()).email).toBe('bo@example.test')
  })

  test('logins are logged with address and browser', async () => {
    const ana = world.visitor({ 'user-agent': 'a test', 'x-forwarded-for': '203.0.113.9' })
    await ana.accounts.devSignIn()
    expect(await activityOf('login')).toMatchObject([
      {
        user_id: 'dev-user-1',
        feature: 'authentication',
        ip_address: '203.0.113.9',
        user_agent: 'a test',
      },
    ])
  })
})

describe('development accounts', () => {
  test('the three are seeded as age-verified administrators', async () => {
    for (const account of [1, 2, 3]) {
      const developer = world.visitor()
      await developer.accounts.signIn({
        body: { email: `dev${account}@example.test`, password: `dev-password-${account}` },
      })
      expect(await developer.accounts.currentUser()).toMatchObject({
        id: `dev-user-${account}`,
        role: 'admin',
        ageVerified: true,
      })
    }
  })

  test('GET /api/login signs in as the first, dev-login as the chosen one', async () => {
    const first = world.visitor()
    await first.accounts.startSignIn({ query: { redirect: '/library' } })
    expect((await first.accounts.currentUser()).id).toBe('dev-user-1')
    const third = world.visitor()
    await third.accounts.devSignIn({ query: { account: 3 } })
    expect((await third.accounts.currentUser()).id).toBe('dev-user-3')
    expect((await refused(third.accounts.devSignIn({ query: { account: 4 } }))).status).toBe(400)
  })
})

describe('the profile', () => {
  test('names and picture change, and the change is logged', async () => {
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    const changed = await ana.accounts.updateProfile({
      body: { firstName: ' Ana ', lastName: 'Lux', profileImageUrl: 'https://example.test/a.jpg' },
    })
    expect(changed).toMatchObject({
      firstName: 'Ana',
      lastName: 'Lux',
      profileImageUrl: 'https://example.test/a.jpg',
    })
    expect((await bo.accounts.currentUser()).lastName).toBeNull()
    expect((await ana.accounts.updateProfile({ body: { lastName: null } })).lastName).toBeNull()
    expect(await activityOf('profile_updated')).toHaveLength(2)
  })

  test.each([
    ['firstName', ''],
    ['firstName', 'x'.repeat(101)],
    ['lastName', 7],
    ['profileImageUrl', 'javascript:alert(1)'],
    ['profileImageUrl', 'https://user:pass@example.test/a.jpg'],
    ['profileImageUrl', '/media/../etc/passwd'],
  ])('%s = %j is refused by name', async (field, value) => {
    const ana = await world.as('ana')
    const response = await ana.fetch('/api/auth/user', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ [field]: value }),
    })
    expect(response.status).toBe(400)
    const body = (await response.json()) as { message: string; details: { issues: object[] } }
    expect(body.message).toMatch(new RegExp(`^Validation failed: ${field} `))
    expect(body.details.issues[0]).toMatchObject({ path: [field] })
    expect(Object.keys(body.details.issues[0] ?? {}).toSorted()).toEqual([
      'code',
      'expected',
      'message',
      'path',
      'received',
    ])
  })
})

describe('the age gate', () => {
  const eighteenYearsAgo = () => {
    const date = world.clock.now()
    date.setUTCFullYear(date.getUTCFullYear() - 18)
    return date.toISOString().slice(0, 10)
  }

  test('an adult is verified, can withdraw it, and others are not touched', async () => {
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    const body = { birthDate: eighteenYearsAgo(), ageVerified: true }
    const { user } = await ana.accounts.verifyAge({ body })
    expect(user).toMatchObject({ ageVerified: true, birthDate: body.birthDate })
    expect((await bo.accounts.currentUser()).ageVerified).toBe(false)
    const withdrawn = await ana.accounts.verifyAge({ body: { ageVerified: false } })
    expect(withdrawn.user.ageVerified).toBe(false)
    expect(await activityOf('age_verification_updated')).toHaveLength(2)
  })

  test('a minor is refused for good, whatever they say later', async () => {
    const ana = await world.as('ana')
    const tomorrow = new Date(new Date(eighteenYearsAgo()).getTime() + 86_400_000)
    const birthDate = tomorrow.toISOString().slice(0, 10)
    const minor = await refused(ana.accounts.verifyAge({ body: { birthDate, ageVerified: true } }))
    expect(minor).toMatchObject({ status: 403, body: { code: 'UNDER_AGE' } })
    const again = await refused(
      ana.accounts.verifyAge({ body: { birthDate: '1980-01-01', ageVerified: true } }),
    )
    expect(again.body).toMatchObject({ code: 'UNDER_AGE' })
    expect((await ana.accounts.currentUser()).ageVerified).toBe(false)
  })

  test.each(['2026-02-30', '1.1.1980', '1899-12-31', '2999-01-01', '1980-1-1', ''])(
    'the birth date %j is refused',
    async (birthDate) => {
      const ana = await world.as('ana')
      const body = { birthDate, ageVerified: true }
      const failure = await refused(ana.accounts.verifyAge({ body }))
      expect(failure).toMatchObject({ status: 400 })
      expect(failure.message).toMatch(/^Validation failed: birthDate /)
    },
  )

  test('a verification without a date is refused', async () => {
    const ana = await world.as('ana')
    const failure = await refused(ana.accounts.verifyAge({ body: { ageVerified: true } }))
    expect(failure.message).toBe('Validation failed: birthDate is required')
  })
})

describe('onboarding', () => {
  const choices = {
    contentRole: 'creator' as const,
    preferredFeatures: ['sessions' as const, 'vault' as const],
    preferredTags: ['city', 'night'],
  }

  test('is done once, and can be done anew after a reset', async () => {
    const ana = await world.as('ana')
    const done = await ana.accounts.completeOnboarding({ body: choices })
    expect(done).toMatchObject({ onboardingCompleted: true, interests: choices })
    const again = await refused(ana.accounts.completeOnboarding({ body: choices }))
    expect(again).toMatchObject({ status: 400, body: { code: 'ALREADY_EXISTS' } })
    expect((await ana.accounts.resetOnboarding()).onboardingCompleted).toBe(false)
    await ana.accounts.completeOnboarding({ body: choices })
  })

  test('tags must exist and lists have their limits', async () => {
    const ana = await world.as('ana')
    const unknown = { ...choices, preferredTags: ['city', 'no-such-tag'] }
    const failure = await refused(ana.accounts.completeOnboarding({ body: unknown }))
    expect(failure.message).toBe('Validation failed: preferredTags has unknown tags: no-such-tag')
    const six = {
      ...choices,
      preferredTags: ['city', 'night', 'macro', 'dance', 'video', 'nature'],
    }
    expect((await refused(ana.accounts.completeOnboarding({ body: six }))).status).toBe(400)
    expect((await ana.accounts.currentUser()).onboardingCompleted).toBe(false)
  })
})

test('referrals list who came by the own code, and nobody else’s', async () => {
  const [ana, bo] = [await world.as('ana'), await world.as('bo')]
  const { id, referralCode } = await ana.accounts.currentUser()
  await world.ctx.db
    .updateTable('users')
    .set({ referred_by: id })
    .where('email', '=', 'bo@example.test')
    .execute()
  expect(await ana.accounts.referrals()).toMatchObject({
    referralCode,
    referralUrl: `http://lanternist.test/?r=${referralCode}`,
    total: 1,
    creditsEarned: 0,
    recent: [{ firstName: 'bo' }],
  })
  expect(await bo.accounts.referrals()).toMatchObject({ total: 0, recent: [] })
})

test('tags and categories are open to anyone, with one default category', async () => {
  const tags = await world.visitor().classification.tags()
  expect(tags.length).toBeGreaterThan(20)
  const categories = await world.visitor().classification.categories()
  expect(categories.filter(({ isDefault }) => isDefault)).toMatchObject([{ name: 'Uncategorized' }])
})
