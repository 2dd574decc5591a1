/** What `npm run admin` can do; test/server/admin-command.test.ts starts it as people do. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Misunderstood, understandCommand } from '../../src/server/commands/admin-commands.ts'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
const run = (...words: string[]) => understandCommand(words)(world.ctx)
const [ana, bo] = ['ana@example.test', 'bo@example.test']

beforeAll(async () => {
  world = await createWorld()
})
beforeEach(() => world.reset())
afterAll(() => world.close())

test('accounts are made once, and given another password', async () => {
  expect(await run('create', ana)).toMatch(/^made ana@example\.test with the password \S{16}$/)
  await expect(run('create', ana)).rejects.toThrow(`an account for ${ana} exists already`)
  expect(await run('password', ana)).toMatch(/^ana@example\.test has the password \S{16},/)
  expect(await run('reactivate', ana)).toBe(`${ana} can sign in again`)
})

test('super_admins are named, made and unmade, but never all of them', async () => {
  await run('create', ana)
  await run('create', bo)
  expect(await run('list')).toBe('nobody is super_admin')
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
    'nobody has the e-mail nobody@example.test',
  )
})

test.each([
  [],
  ['promote'],
  ['promote', 'no e-mail'],
  ['promote', ana, 'more'],
  ['list', ana],
  ['destroy', ana],
  ['constructor', ana],
])('what is not understood is answered with the usage: %j', (...words) => {
  expect(() => understandCommand(words)).toThrow(Misunderstood)
  expect(() => understandCommand(words)).toThrow(/^usage: npm run admin -- <command>\n/)
})
