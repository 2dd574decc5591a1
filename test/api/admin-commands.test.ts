/**
 * The commands of `npm run admin`, called as functions. test/server/admin-command.test.ts starts the real
 * command.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Misunderstood, parseCommand } from '../../src/server/commands/admin-commands.ts'
import { withKey } from '../support/key-world.ts'
import type { World } from '../support/world.ts'
import { createWorld, password, refused } from '../support/world.ts'

let world: World
const run = (...words: string[]) => parseCommand(words)(world.ctx)
const [ana, bo] = ['ana@example.test', 'bo@example.test']

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

test('an account is created once, and its password can be replaced', async () => {
  expect(await run('create', ana)).toMatch(/^created ana@example\.test with the password \S{16}$/)
  await expect(run('create', ana)).rejects.toThrow(`an account for ${ana} already exists`)
  expect(await run('password', ana)).toMatch(/^ana@example\.test has the new password \S{16} and/)
  expect(await run('reactivate', ana)).toBe(`${ana} can sign in again`)
})

test('keys are listed with their names, without their secrets', async () => {
  const person = await world.as('ana')
  expect(await run('keys', ana)).toBe(`${ana} has no keys`)
  const body = { name: 'Evening\nscript', scopes: ['sessions:read', 'media:read'] as const }
  const first = await person.keys.create({ body: { ...body, scopes: [...body.scopes] } })
  const expiresAt = new Date(world.clock.now().getTime() + 3600_000).toISOString()
  const second = await person.keys.create({ body: { name: 'B', scopes: ['rooms'], expiresAt } })
  await withKey(world, first.key).sessions.list()
  const used = (await person.keys.list())[0]?.lastUsedAt
  const told = await run('keys', 'ANA@example.test')
  expect(told.split('\n')).toEqual([
    `${first.prefix}…  "Evening\\nscript"  sessions:read media:read  last used ${used}`,
    `${second.prefix}…  "B"  rooms  never used  expires ${expiresAt}`,
  ])
  for (const { key } of [first, second]) expect(told).not.toContain(key.slice(0, 16))
  await world.as('bo')
  expect(await run('keys', bo)).toBe(`${bo} has no keys`)
  await expect(run('keys', 'nobody@example.test')).rejects.toThrow(
    'there is no account with the e-mail',
  )
})

test('sign-out ends every browser of one account, and no other', async () => {
  const [person, other] = [await world.as('ana'), await world.as('bo')]
  const elsewhere = world.visitor()
  await elsewhere.accounts.signIn({ body: { email: ana, password } })
  const { key } = await person.keys.create({ body: { name: 'A', scopes: ['sessions:read'] } })
  expect(await run('sign-out', ana)).toBe(`${ana} is signed out everywhere`)
  for (const browser of [person, elsewhere])
    expect(await refused(browser.accounts.currentUser())).toMatchObject({ status: 401 })
  await other.accounts.currentUser()
  await withKey(world, key).sessions.list()
  await person.accounts.signIn({ body: { email: ana, password } })
  const logged = await world.ctx.db
    .selectFrom('activity_log')
    .select(['user_id', 'target_user_id', 'details'])
    .where('action', '=', 'sign_in_ended')
    .execute()
  const { id } = await person.accounts.currentUser()
  expect(logged).toEqual([
    { user_id: null, target_user_id: id, details: { which: 'all', by: 'command line' } },
  ])
})

test('super_admins are listed, promoted and demoted, but one always stays', async () => {
  await run('create', ana)
  await run('create', bo)
  expect(await run('list')).toBe('there is no active super_admin')
  expect(await run('promote', ana)).toBe(`${ana} is super_admin`)
  expect(await run('list')).toBe(ana)
  await expect(run('demote', ana)).rejects.toMatchObject({
    body: { message: 'The last super_admin cannot be lost' },
  })
  await run('promote', 'BO@example.test')
  expect(await run('list')).toBe(`${ana}\n${bo}`)
  await run('demote', ana)
  expect(await run('list')).toBe(bo)
  await expect(run('promote', 'nobody@example.test')).rejects.toThrow(
    'there is no account with the e-mail nobody@example.test',
  )
})

test.each([
  [],
  ['promote'],
  ['promote', 'no e-mail'],
  ['promote', ana, 'more'],
  ['list', ana],
  ['renew-secrets', ana],
  ['keys'],
  ['destroy', ana],
  ['constructor', ana],
])('an unknown command prints the usage: %j', (...words) => {
  expect(() => parseCommand(words)).toThrow(Misunderstood)
  expect(() => parseCommand(words)).toThrow(/^usage: npm run admin -- <command>\n/)
})
