/** The account and the fields that its owner can change (contract 4.1). */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
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

  test('two concurrent registrations with one e-mail create one account', async () => {
    const body = { email: 'Twin@Example.test', password }
    const attempts = await Promise.allSettled(
      Array.from({ length: 5 }, () => world.visitor().accounts.register({ body })),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const second = await refused(world.visitor().accounts.register({ body }))
    expect(second).toMatchObject({ status: 400, body: { code: 'ALREADY_EXISTS' } })
  })

  test('registration refuses short passwords and invalid e-mail addresses', async () => {
    const visitor = world.visitor()
    const short = await refused(
      visitor.accounts.register({ body: { email: 'b@example.test', password: '123456789' } }),
    )
    expect(short.message).toBe('Validation failed: password must have at least 10 characters')
    const noEmail = await refused(visitor.accounts.register({ body: { email: 'bo', password } }))
    expect(noEmail.message).toBe('Validation failed: email must be an e-mail address')
  })

  test('an administrator’s closed registration overrides the environment', async () => {
    await world.ctx.db
      .insertInto('settings')
      .values({ key: 'registration', value: '"closed"', updated_at: world.clock.now() })
      .execute()
    const body = { email: 'late@example.test', password }
    expect((await refused(world.visitor().accounts.register({ body }))).status).toBe(403)
    expect(await world.visitor().site.read()).toMatchObject({ registration: 'closed' })
  })

  test('a role, a balance or an id in the body changes nothing', async () => {
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

  test('a deleted account is signed out', async () => {
    const ana = await world.as('ana')
    const { id } = await ana.accounts.currentUser()
    await world.ctx.db.deleteFrom('credit_accounts').where('user_id', '=', id).execute()
    expect(await refused(ana.accounts.currentUser())).toMatchObject({
      status: 404,
      message: 'User not found',
    })
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

  test('an adult is verified and can withdraw it, and other accounts do not change', async () => {
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    const body = { birthDate: eighteenYearsAgo(), ageVerified: true }
    const { user } = await ana.accounts.verifyAge({ body })
    expect(user).toMatchObject({ ageVerified: true, birthDate: body.birthDate })
    expect((await bo.accounts.currentUser()).ageVerified).toBe(false)
    const withdrawn = await ana.accounts.verifyAge({ body: { ageVerified: false } })
    expect(withdrawn.user.ageVerified).toBe(false)
    expect(await activityOf('age_verification_updated')).toHaveLength(2)
  })

  test('a minor is refused until the eighteenth birthday, whatever date they enter later', async () => {
    const ana = await world.as('ana')
    const tomorrow = new Date(new Date(eighteenYearsAgo()).getTime() + 86_400_000)
    const birthDate = tomorrow.toISOString().slice(0, 10)
    const minor = await refused(ana.accounts.verifyAge({ body: { birthDate, ageVerified: true } }))
    expect(minor).toMatchObject({ status: 403, body: { code: 'UNDER_AGE' } })
    const again = await refused(
      ana.accounts.verifyAge({ body: { birthDate: '1980-01-01', ageVerified: true } }),
    )
    expect(again.body).toMatchObject({ code: 'UNDER_AGE' })
    const older = { birthDate: '1980-01-01', ageVerified: false }
    expect((await refused(ana.accounts.verifyAge({ body: older }))).status).toBe(403)
    expect((await ana.accounts.currentUser()).birthDate).toBe(birthDate)
    expect((await ana.accounts.currentUser()).ageVerified).toBe(false)
  })

  test('a refused minor can verify again from the eighteenth birthday on', async () => {
    onTestFinished(() => world.clock.set(new Date().toISOString()))
    world.clock.set('2025-11-16T12:00:00Z')
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    const body = { birthDate: '2008-02-29', ageVerified: true }
    const ask = (person: Person) => person.accounts.verifyAge({ body })
    const other = { birthDate: '1980-01-01', ageVerified: true }
    expect((await refused(ask(ana))).body).toMatchObject({ code: 'UNDER_AGE' })
    // Sign-ins end after a week without a request.
    const comeBack = () => ana.accounts.signIn({ body: { email: 'ana@example.test', password } })
    world.clock.set('2026-02-28T23:59:00Z')
    await comeBack()
    expect((await refused(ask(ana))).status).toBe(403)
    expect((await refused(ana.accounts.verifyAge({ body: other }))).status).toBe(403)
    world.clock.set('2026-03-01T00:00:00Z')
    expect((await ask(ana)).user).toMatchObject({ ageVerified: true, birthDate: '2008-02-29' })
    await bo.accounts.signIn({ body: { email: 'bo@example.test', password } })
    expect((await bo.accounts.currentUser()).ageVerified).toBe(false)
    await ana.accounts.verifyAge({ body: { ageVerified: false } })
    expect((await ana.accounts.verifyAge({ body: other })).user.ageVerified).toBe(true)
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

  test('is completed once, and again only after a reset', async () => {
    const ana = await world.as('ana')
    const done = await ana.accounts.completeOnboarding({ body: choices })
    expect(done).toMatchObject({ onboardingCompleted: true, interests: choices })
    const again = await refused(ana.accounts.completeOnboarding({ body: choices }))
    expect(again).toMatchObject({ status: 400, body: { code: 'ALREADY_EXISTS' } })
    expect((await ana.accounts.resetOnboarding()).onboardingCompleted).toBe(false)
    await ana.accounts.completeOnboarding({ body: choices })
  })

  test('interests can be changed any number of times, by their owner', async () => {
    const [ana, bo] = [await world.as('ana'), await world.as('bo')]
    await ana.accounts.completeOnboarding({ body: choices })
    const others = { ...choices, contentRole: 'consumer' as const, preferredTags: ['macro'] }
    expect((await ana.accounts.changeInterests({ body: others })).interests).toEqual(others)
    expect((await ana.accounts.currentUser()).interests).toEqual(others)
    expect((await bo.accounts.currentUser()).interests).toEqual({})
    const unknown = { ...choices, preferredTags: ['no-such-tag'] }
    expect((await refused(ana.accounts.changeInterests({ body: unknown }))).status).toBe(400)
    expect((await ana.accounts.currentUser()).interests).toEqual(others)
  })

  test('tags must exist, and lists are limited', async () => {
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

test('tags and categories are open to anyone, with one default category', async () => {
  const tags = await world.visitor().classification.tags()
  expect(tags.length).toBeGreaterThan(20)
  const categories = await world.visitor().classification.categories()
  expect(categories.filter(({ isDefault }) => isDefault)).toMatchObject([{ name: 'Uncategorized' }])
})
