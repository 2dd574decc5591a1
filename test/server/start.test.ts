/** Refused starts: the reason is one line. A start waits for a database that is late. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { endServices, launchService, refusedStart } from '../support/service-process.ts'
import { startSilentProxy } from '../support/silent-proxy.ts'

let folder: string
let postgres: PostgresServer

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  folder = await mkdtemp(join(tmpdir(), 'lanternist-start-'))
  await writeFile(join(folder, 'a-file'), '')
  postgres = await startPostgres()
})

afterAll(async () => {
  await endServices()
  await postgres.stop()
  await rm(folder, { recursive: true })
})

test('a disk that is too small for a new database is named in one line', async ({ skip }) => {
  const disk = join(folder, 'small')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    skip('a small disk cannot be mounted here')
  }
  try {
    expect(await refusedStart({ DATA_DIR: disk })).toMatch(
      /^DATA_DIR: .* a new one needs 80 MB, and the disk has 1\d MB left$/,
    )
  } finally {
    execFileSync('umount', ['-l', disk])
  }
})

test.each([
  ['NODE_ENV', { BASE_URL: 'https://lanternist.test' }],
  ['PORT', { PORT: 'http' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://127.0.0.1/lanternist' }],
  [
    'SESSION_SECRET',
    { NODE_ENV: 'production', BASE_URL: 'https://lanternist.test', SESSION_SECRET: '' },
  ],
  ['RATE_LIMIT_PUBLIC', { RATE_LIMIT_PUBLIC: 'many' }],
])('a start with a wrong %s prints one line and exits with 1', async (variable, settings) => {
  expect(await refusedStart(settings)).toMatch(new RegExp(`^${variable} must|^${variable} is`))
})

test('a DATA_DIR that cannot be used is refused in one line', async () => {
  // A development start first looks for its secret in DATA_DIR. With SESSION_SECRET set, the database
  // uses the folder first.
  const below = await refusedStart({ DATA_DIR: join(folder, 'a-file', 'below') })
  expect(below).toMatch(/^DATA_DIR cannot be written: ENOTDIR/)
  const file = await refusedStart({
    DATA_DIR: join(folder, 'a-file'),
    SESSION_SECRET: 'a secret that is long enough',
  })
  expect(file).toMatch(/^DATA_DIR: .* cannot be written: EEXIST/)
})

test('an unreachable database is refused in one line, without its password', async () => {
  const port = await freePort()
  const line = await refusedStart({ DATABASE_URL: `postgres://me:hidden@127.0.0.1:${port}/site` })
  expect(line).toMatch(/^DATABASE_URL: .*127\.0\.0\.1.*\/site.*ECONNREFUSED/)
  expect(line).not.toContain('hidden')
})

test('a database that becomes available during the start is waited for', async () => {
  await postgres.administer('create database late')
  const proxy = await startSilentProxy(Number(new URL(postgres.urlOf('late')).port))
  proxy.silence()
  const url = new URL(postgres.urlOf('late'))
  url.port = String(proxy.port)
  const port = await freePort()
  const service = await launchService({ DATABASE_URL: url.href, PORT: String(port) })
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  try {
    await eventually(() => expect(service.stdout).toContain('"event":"start_waits"'))
    const health = await ask('/healthz')
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
    const readiness = await ask('/readyz')
    expect([readiness.status, await readiness.json()]).toMatchObject([
      503,
      { status: 'unavailable', failing: ['database', 'storage', 'queue'] },
    ])
    expect((await ask('/api/tags')).status).toBe(503)
    proxy.resume()
    await service.ready()
    await service.stop()
  } finally {
    await service.kill()
    await proxy.close()
  }
})

test('a database that does not exist is refused at once, in one line', async () => {
  const service = await launchService({ DATABASE_URL: postgres.urlOf('nowhere') })
  await service.ended
  expect(service.stderr).toMatch(/^DATABASE_URL: .*database "nowhere" does not exist\n$/)
  expect(service.stdout).not.toContain('start_waits')
})

test('a database that refuses us is refused in one line, without its password', async () => {
  const url = new URL(postgres.urlOf('postgres'))
  url.password = 'hidden'
  const line = await refusedStart({ DATABASE_URL: url.href })
  expect(line).toMatch(/^DATABASE_URL: .*password authentication failed/)
  expect(line).not.toContain('hidden')
})

test('a database in which nothing may be made is refused in one line', async () => {
  await postgres.administer("create role guest login password 'guest'")
  const url = new URL(postgres.urlOf('postgres'))
  url.username = url.password = 'guest'
  expect(await refusedStart({ DATABASE_URL: url.href })).toMatch(
    /^the database cannot be migrated: permission denied/,
  )
})
