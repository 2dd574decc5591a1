/** `npm run admin`, started as an operator starts it. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService } from '../support/service-process.ts'

const commands = resolve(import.meta.dirname, '../../src/server/commands')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanternist-admin-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Outcome = { code: number; stdout: string; stderr: string }

const admin = (...words: string[]) => run('admin', ...words)

function run(command: string, ...words: string[]): Promise<Outcome> {
  const program = join(commands, `${command}.ts`)
  const env = { PATH: process.env['PATH'], FEED: 'off' }
  return new Promise((done) => {
    execFile(process.execPath, [program, ...words], { cwd: folder, env }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

test('no site is made by a command that was meant for another', async () => {
  const lost = await admin('create', 'ana@example.test')
  expect(lost).toMatchObject({ code: 1, stdout: '' })
  expect(lost.stderr).toMatch(
    /^DATA_DIR: there is no site in .*; run this command with the settings/,
  )
  expect(await readdir(folder)).toEqual([])
})

test('a command is carried out on the folder’s own database and answered on the terminal', async () => {
  expect(await run('migrate')).toMatchObject({ code: 0 })
  const made = await admin('create', 'ana@example.test')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toMatch(/^created ana@example\.test with the password \S{16}\n$/)
  expect(await admin('demote', 'bo@example.test')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'there is no account with the e-mail bo@example.test\n',
  })
})

test('a running service carries a command out, and its socket is for its own user alone', async () => {
  const service = await startService({}, { folder })
  try {
    const socket = await stat(join(folder, 'data/admin.sock'))
    expect([socket.isSocket(), socket.mode & 0o777]).toEqual([true, 0o600])
    const made = await admin('create', 'cy@example.test')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(await admin('promote', 'cy@example.test')).toMatchObject({ code: 0 })
    expect(await admin('list')).toEqual({ code: 0, stdout: 'cy@example.test\n', stderr: '' })
    expect(await admin('demote', 'nobody@example.test')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there is no account with the e-mail nobody@example.test\n',
    })
    const password = made.stdout.trim().split(' ').at(-1)
    const signIn = await fetch(`${service.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'cy@example.test', password }),
    })
    expect(signIn.status).toBe(200)
  } finally {
    await service.kill()
  }
  // A killed service leaves its socket file; commands ignore it.
  expect(await admin('list')).toMatchObject({ code: 0, stdout: 'cy@example.test\n' })
})

test('what is not understood opens nothing, and help is to be had', async () => {
  const [wrong, help] = await Promise.all([admin('promote'), admin('--help')])
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toMatch(/^usage: npm run admin -- <command>\n/)
  expect(help).toEqual({ code: 0, stdout: wrong.stderr, stderr: '' })
})
