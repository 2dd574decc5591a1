/** `npm run admin`: what recovery needs, from the machine itself. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const program = resolve(import.meta.dirname, '../../src/server/admin-command.ts')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanternist-admin-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Outcome = { code: number; stdout: string; stderr: string }

function admin(...words: string[]): Promise<Outcome> {
  const env = { PATH: process.env['PATH'], FEED: 'off' }
  return new Promise((done) => {
    execFile(process.execPath, [program, ...words], { cwd: folder, env }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

test('accounts are made, promoted, demoted, let in again, and given a password', async () => {
  const [ana, bo] = ['ana@example.test', 'bo@example.test']
  const made = await admin('create', ana)
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toMatch(/^made ana@example\.test with the password \S{16}\n$/)
  expect(await admin('create', ana)).toMatchObject({
    code: 1,
    stderr: 'an account for ana@example.test exists already\n',
  })
  await admin('create', bo)
  expect((await admin('list')).stdout).toBe('nobody is super_admin\n')
  expect(await admin('promote', ana)).toMatchObject({ code: 0, stdout: `${ana} is super_admin\n` })
  expect((await admin('list')).stdout).toBe(`${ana}\n`)
  expect(await admin('demote', ana)).toMatchObject({
    code: 1,
    stderr: 'The last super_admin cannot be lost\n',
  })
  await admin('promote', 'BO@example.test')
  expect((await admin('list')).stdout).toBe(`${ana}\n${bo}\n`)
  expect(await admin('demote', ana)).toMatchObject({ code: 0 })
  expect((await admin('list')).stdout).toBe(`${bo}\n`)
  expect((await admin('password', ana)).stdout).toMatch(
    /^ana@example\.test has the password \S{16},/,
  )
  expect(await admin('reactivate', ana)).toMatchObject({ code: 0 })
  expect(await admin('promote', 'nobody@example.test')).toMatchObject({
    code: 1,
    stderr: 'nobody has the e-mail nobody@example.test\n',
  })
})

test.each([
  [],
  ['promote'],
  ['promote', 'no e-mail'],
  ['promote', 'ana@example.test', 'more'],
  ['list', 'ana@example.test'],
  ['destroy', 'ana@example.test'],
  ['constructor', 'ana@example.test'],
])(
  'what is not understood is answered with the usage, and nothing is opened: %j',
  async (...words) => {
    const { code, stdout, stderr } = await admin(...words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^usage: npm run admin -- <command>\n/)
  },
)

test('help is to be had', async () => {
  expect(await admin('--help')).toMatchObject({ code: 0, stderr: '' })
})
