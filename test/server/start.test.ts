/** Starting and stopping: what is wrong is said in one line, what is right comes up, SIGTERM ends it well. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildEmbeddedIfStale } from '../../scripts/build-embedded.ts'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { parseConfig } from '../../src/server/config/config.ts'
import { SettingError } from '../../src/server/config/setting.ts'
import { heapFlags } from '../../src/server/platform/re-exec.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { peakMb } from '../support/process-figures.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startPostgres } from '../support/postgres-server.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import {
  builtServer,
  endServices,
  endWithUs,
  launchService,
  startService,
} from '../support/service-process.ts'
import { startSilentProxy } from '../support/silent-proxy.ts'

const repository = resolve(import.meta.dirname, '../..')
const secret = 'a secret that is long enough'
const production = {
  NODE_ENV: 'production',
  BASE_URL: 'https://lanternist.test',
  SESSION_SECRET: secret,
}
const s3 = { STORAGE: 's3', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
const oidc = {
  OIDC_ISSUER: 'https://id.test',
  OIDC_CLIENT_ID: 'lanternist',
  OIDC_CLIENT_SECRET: 'secret',
}

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

const web3 = {
  WEB3_RPC_URL: 'http://127.0.0.1:8545',
  WEB3_CHAIN_ID: '31337',
  WEB3_TOKEN: `0x${'1'.repeat(40)}`,
  WEB3_RECIPIENT: `0x${'2'.repeat(40)}`,
}

const wrongSettings: [variable: string, environment: Record<string, string>][] = [
  ['NODE_ENV', { NODE_ENV: 'staging' }],
  ['NODE_ENV', { BASE_URL: 'https://lanternist.test' }],
  ['NODE_ENV', { BASE_URL: 'http://192.168.1.5:5000' }],
  ['NODE_ENV', { BASE_URL: 'http://localhost.lanternist.test' }],
  ['NODE_ENV', { NODE_ENV: 'test', BASE_URL: 'https://lanternist.test' }],
  ['PORT', { PORT: 'http' }],
  ['PORT', { PORT: '65536' }],
  ['PORT', { PORT: '-1' }],
  ['PORT', { PORT: '80.5' }],
  ['BASE_URL', { BASE_URL: 'lanternist.test' }],
  ['BASE_URL', { ...production, BASE_URL: '' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://127.0.0.1/lanternist' }],
  ['DATABASE_URL', { DATABASE_URL: '127.0.0.1' }],
  ['REDIS_URL', { REDIS_URL: 'http://127.0.0.1:6379' }],
  ['STORAGE', { STORAGE: 'ftp' }],
  ['S3_ACCESS_KEY_ID', { ...s3, S3_ACCESS_KEY_ID: '' }],
  ['S3_SECRET_ACCESS_KEY', { ...s3, S3_SECRET_ACCESS_KEY: '' }],
  ['S3_ENDPOINT', { ...s3, S3_ENDPOINT: 's3.test' }],
  ['SESSION_SECRET', { SESSION_SECRET: 'short' }],
  ['SESSION_SECRET', { ...production, SESSION_SECRET: ' ' }],
  ['SESSION_SECRET', { ...production, SESSION_SECRET: 'a'.repeat(64) }],
  ['SESSION_SECRET', { ...production, SESSION_SECRET: 'changemechangemechangeme' }],
  ['SESSION_SECRET', { ...production, SESSION_SECRET: '12345678901234567890' }],
  ['SESSION_SECRET', { ...production, SESSION_SECRET: 'abcdefghijklmnopqrstuvwxyz' }],
  ['SECRET_KEYS', { ...production, SECRET_KEYS: `${'ab'.repeat(16)},${secret}` }],
  ['SESSION_SECRET_PREVIOUS', { SESSION_SECRET_PREVIOUS: 'short' }],
  ['SESSION_SECRET_PREVIOUS', { SESSION_SECRET_PREVIOUS: secret }],
  ['OIDC_ISSUER', { ...oidc, OIDC_ISSUER: '' }],
  ['OIDC_ISSUER', { ...oidc, ...production, OIDC_ISSUER: 'http://id.test' }],
  ['OIDC_CLIENT_ID', { ...oidc, OIDC_CLIENT_ID: '' }],
  ['OIDC_CLIENT_SECRET', { ...oidc, OIDC_CLIENT_SECRET: '' }],
  ['REGISTRATION', { REGISTRATION: 'maybe' }],
  ['FEED', { FEED: 'gopher' }],
  ['FEED', { ...production, FEED: 'demo' }],
  ['CAPTIONS', { ...production, CAPTIONS: 'demo' }],
  ['TELEGRAM_WEBHOOK_SECRET', { TELEGRAM_WEBHOOK_SECRET: 'with spaces' }],
  ['NOWPAYMENTS_IPN_SECRET', { NOWPAYMENTS_API_KEY: 'key' }],
  ['NOWPAYMENTS_API_KEY', { NOWPAYMENTS_IPN_SECRET: 'secret' }],
  ['NOWPAYMENTS_URL', { NOWPAYMENTS_URL: 'api.nowpayments.io' }],
  ['TELEGRAM_WEBHOOK_SECRET', { TELEGRAM_BOT_TOKEN: '1:token' }],
  ['TELEGRAM_BOT_TOKEN', { TELEGRAM_WEBHOOK_SECRET: 'secret' }],
  ['WEB3_RECIPIENT', { ...web3, WEB3_RECIPIENT: '' }],
  ['WEB3_RPC_URL', { ...web3, WEB3_RPC_URL: '' }],
  ['WEB3_CHAIN_ID', { WEB3_CHAIN_ID: '0' }],
  ['WEB3_TOKEN', { WEB3_TOKEN: '0x1234' }],
  ['WEB3_RECIPIENT', { WEB3_RECIPIENT: 'lanternist.eth' }],
  ['WEB3_CONFIRMATIONS', { WEB3_CONFIRMATIONS: 'a few' }],
  ['RATE_LIMIT_PUBLIC', { RATE_LIMIT_PUBLIC: '100' }],
  ['RATE_LIMIT_AUTH', { RATE_LIMIT_AUTH: '0/900' }],
  ['RATE_LIMIT_FEED', { RATE_LIMIT_FEED: 'on' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
  ['TRUSTED_PROXIES', { TRUSTED_PROXIES: 'the proxy' }],
  ['FETCH_ALLOW', { FETCH_ALLOW: '127.0.0.1' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'chatty' }],
]

test.each(wrongSettings)(
  '%s is refused with one line that names it: %o',
  (variable, environment) => {
    const refusal = refusalOf({ SESSION_SECRET: secret, ...environment })
    expect(refusal).toBeInstanceOf(SettingError)
    expect(refusal.message).toMatch(new RegExp(`^${variable} \\S.*$`))
    expect(refusal.message).not.toContain('\n')
  },
)

test('what these settings are made wrong from is right', () => {
  const local = [
    'http://localhost:5000',
    'http://lamp.localhost',
    'http://127.8.8.8',
    'http://[::1]:1',
  ]
  const developments = local.map((BASE_URL) => ({ BASE_URL }))
  // A weak secret can be replaced, and development does not mind one.
  const weak = 'a'.repeat(64)
  const replaced = { SESSION_SECRET_PREVIOUS: weak, SECRET_KEYS: `${secret},${weak}` }
  const random = ['9f3ac07be51d8264', 'T0p+9/aQz3LwX7vB1nRk5g==']
  const secrets = random.map((SESSION_SECRET) => ({ ...production, SESSION_SECRET }))
  const strength = [{ ...production, ...replaced }, { SESSION_SECRET: weak }, ...secrets]
  const whole = [
    ...strength,
    production,
    s3,
    oidc,
    web3,
    { ...production, ...oidc },
    {},
    ...developments,
  ]
  for (const environment of whole) {
    expect(() => parseConfig({ SESSION_SECRET: secret, ...environment })).not.toThrow()
  }
})

test('a node that others reach says so where every private address may speak for anyone', () => {
  const warningsOf = (settings: Record<string, string>) =>
    parseConfig({ SESSION_SECRET: secret, ...settings }).warnings
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5']) {
    expect(warningsOf({ HOST })).toEqual([expect.stringMatching(/^TRUSTED_PROXIES is not set/)])
    expect(warningsOf({ HOST, TRUSTED_PROXIES: '192.168.1.1' })).toEqual([])
    expect(warningsOf({ HOST, TRUSTED_PROXIES: 'none' })).toEqual([])
  }
  for (const HOST of ['127.0.0.1', '::1', 'localhost']) expect(warningsOf({ HOST })).toEqual([])
})

test('production says so where its address is http and others reach it', () => {
  const warningsAt = (BASE_URL: string) => parseConfig({ ...production, BASE_URL }).warnings
  expect(warningsAt('http://lanternist.test')).toEqual([
    expect.stringMatching(/^BASE_URL is http:\/\/lanternist\.test: .*https/),
  ])
  for (const fine of ['https://lanternist.test', 'http://127.0.0.1:5000', 'http://lamp.localhost'])
    expect(warningsAt(fine)).toEqual([])
})

test('a disk that is too small for a new database is named in one line', async ({ skip }) => {
  const disk = join(folder, 'small')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    console.info('skipped: a small disk cannot be mounted here')
    skip('no mount')
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
  ['SESSION_SECRET', { ...production, SESSION_SECRET: '' }],
  ['RATE_LIMIT_PUBLIC', { RATE_LIMIT_PUBLIC: 'many' }],
])('a start with a wrong %s prints one line and exits with 1', async (variable, settings) => {
  expect(await refusedStart(settings)).toMatch(new RegExp(`^${variable} must|^${variable} is`))
})

test('a DATA_DIR that cannot be used is refused in one line', async () => {
  // A development start looks for its secret there; with one given, the database is the first to look.
  const below = await refusedStart({ DATA_DIR: join(folder, 'a-file', 'below') })
  expect(below).toMatch(/^DATA_DIR cannot be written: ENOTDIR/)
  const file = await refusedStart({ DATA_DIR: join(folder, 'a-file'), SESSION_SECRET: secret })
  expect(file).toMatch(/^DATA_DIR: .* cannot be written: EEXIST/)
})

test('an unreachable database is refused in one line, without its password', async () => {
  const port = await freePort()
  const line = await refusedStart({ DATABASE_URL: `postgres://me:hidden@127.0.0.1:${port}/site` })
  expect(line).toMatch(/^DATABASE_URL: .*127\.0\.0\.1.*\/site.*ECONNREFUSED/)
  expect(line).not.toContain('hidden')
})

test('a database that comes up during the start is waited for', async () => {
  await postgres.administer('create database late')
  const proxy = await startSilentProxy(Number(new URL(postgres.urlOf('late')).port))
  proxy.silence()
  const url = new URL(postgres.urlOf('late'))
  url.port = String(proxy.port)
  const port = await freePort()
  const service = await launchService({ DATABASE_URL: url.href, PORT: String(port) })
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  try {
    await vi.waitUntil(() => service.stdout.includes('"event":"start_waits"'), 60_000)
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

test.each(['silent', 'refused', 'reset'] as const)(
  'SIGTERM ends a service well whose database is gone: %s',
  async (how) => {
    await postgres.administer(`create database gone_${how}`)
    const url = new URL(postgres.urlOf(`gone_${how}`))
    const proxy = await startSilentProxy(Number(url.port))
    url.port = String(proxy.port)
    const service = await startService({ DATABASE_URL: url.href })
    try {
      proxy.fail(how)
      const hanging = fetch(`${service.url}/api/tags`).then(({ status }) => status)
      await eventually(() =>
        expect(service.stdout).toMatch(/"event":"(database_away|request_failed)"/),
      )
      expect(await service.stop()).toEqual({ code: 0, signal: null })
      expect(await hanging).toBe(503)
    } finally {
      await service.kill()
      await proxy.close()
    }
  },
)

test('SIGTERM ends a service whose log nobody reads', async () => {
  const home = await mkdtemp(join(folder, 'home-'))
  const child = spawn(process.execPath, [await builtServer()], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', FEED: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  endWithUs(Number(child.pid), ended)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  await vi.waitUntil(() => said.includes('Lanternist is up'), 60_000)
  child.stdout.pause()
  const { url } = JSON.parse(said.split('\n').find((line) => line.includes('is up')) ?? '') as {
    url: string
  }
  // Each is a line of the log, and together they are more than a pipe holds.
  const ask = async () => {
    for (let asked = 0; asked < 400; asked += 1)
      await fetch(`${url}/api/nowhere`).then((answer) => answer.arrayBuffer())
  }
  await Promise.all(Array.from({ length: 10 }, ask))
  child.kill('SIGTERM')
  // By who looks on from outside: an exit would have waited for a reader.
  expect(await ended).toEqual([null, 'SIGKILL'])
})

test('a service ends with the npm that has started it, and no other with its shell', async () => {
  const home = await mkdtemp(join(folder, 'home-'))
  const words = ['-c', '"$@"; true', 'sh', process.execPath, await builtServer()]
  const npm = await startBelow('npm', ['run', 'serve'], join(home, 'with'))
  const shell = await startBelow('sh', words, join(home, 'without'))
  try {
    shell.parent.kill('SIGKILL')
    npm.parent.kill('SIGTERM')
    await npm.closed
    expect(npm.said()).toContain('"event":"stopped"')
    expect((await fetch(`${shell.url}/readyz`)).status).toBe(200)
  } finally {
    await npm.end()
    await shell.end()
  }
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

describe('a running service', () => {
  let service: ServiceProcess

  beforeAll(async () => {
    // `npm start` builds it and an image contains it. Without it a first start takes 750 MB.
    await buildEmbeddedIfStale({ print: () => {} })
    const file = ['BASE_URL=http://file.localhost', 'DATA_DIR=from-file', 'HOST=203.0.113.1']
    service = await startService({}, { folder: await withEnvFile(file) })
  })

  test('honours a .env file, over which the environment wins', () => {
    expect(service.stdout).toContain('"baseUrl":"http://file.localhost"')
    expect(existsSync(join(service.folder, 'from-file/postgres'))).toBe(true)
    // In the file HOST is an address that nobody has; what we give in the environment is loopback.
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  test.runIf(process.platform === 'linux')(
    'has few pools of memory, little space for new objects, and what was compiled at hand',
    () => {
      const environment = readFileSync(`/proc/${service.pid}/environ`, 'utf8').split('\0')
      expect(environment).toContain('MALLOC_ARENA_MAX=2')
      expect(environment).toContain('MALLOC_MMAP_THRESHOLD_=1048576')
      expect(environment).toContainEqual(expect.stringMatching(/^NODE_COMPILE_CACHE=.*compiled/))
      const words = readFileSync(`/proc/${service.pid}/cmdline`, 'utf8').split('\0')
      expect(words).toEqual(expect.arrayContaining([...heapFlags]))
    },
  )

  test.runIf(process.platform === 'linux')(
    'takes less than 450 MB for its embedded database, while it starts too',
    () => {
      expect(peakMb(service.pid)).toBeLessThan(450)
    },
  )

  test('keeps its port', async () => {
    const { port } = new URL(service.url)
    await postgres.administer('create database second_on_the_port')
    const settings = { PORT: port, DATABASE_URL: postgres.urlOf('second_on_the_port') }
    expect(await refusedStart(settings)).toBe(`PORT: 127.0.0.1:${port} is taken by another process`)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  })

  test('keeps its folder: a second process on it is refused and the first goes on', async () => {
    const dataDir = join(service.folder, 'from-file')
    const line = await refusedStart({ DATA_DIR: dataDir })
    expect(line).toContain(`DATA_DIR: ${dataDir} is in use by another process`)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    expect((await fetch(`${service.url}/api/dev-login`, { redirect: 'manual' })).status).toBe(302)
  })

  test('on SIGTERM finishes the request that it has begun to read, and exits with 0', async () => {
    const { hostname, port } = new URL(service.url)
    const silent = connect(Number(port), hostname)
    silent.resume()
    await once(silent, 'connect')
    const body = JSON.stringify({ email: 'dev1@example.test', password: 'dev-password-1' })
    const half = await beginRequest(service.url, '/api/login', body)
    const ended = service.stop()
    await eventually(() => expect(service.stdout).toContain('"msg":"stopping"'))
    // Nobody waits for a connection on which nothing was asked.
    await eventually(() => expect(silent.closed).toBe(true))
    expect(await half.finish()).toMatch(/^HTTP\/1\.1 302 [^]*set-cookie: connect\.sid=/i)
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(service.stdout).toContain('"msg":"stopped"')
    expect(service.stderr).toBe('')
  })
})

/** A service whose parent is another program; `closed` when no process has its output open any more. */
async function startBelow(program: string, words: readonly string[], dataDir: string) {
  const { PATH, HOME } = process.env
  const parent = spawn(program, words, {
    cwd: repository,
    env: { PATH, HOME, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', FEED: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // In a group, which has its number also when the parent is gone.
    detached: true,
  })
  const group = -Number(parent.pid)
  let hasEnded = false
  const closed = once(parent, 'close').then(() => (hasEnded = true))
  endWithUs(group, closed)
  let said = ''
  parent.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  await vi.waitUntil(() => said.includes('Lanternist is up'), 60_000)
  return {
    parent,
    closed,
    said: () => said,
    url: /"url":"([^"]+)"/.exec(said)?.[1],
    async end() {
      if (!hasEnded) process.kill(group, 'SIGKILL')
      await closed
    },
  }
}

function refusalOf(environment: Record<string, string>): Error {
  try {
    parseConfig(environment)
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('the settings were accepted')
}

/** The one line that a refused start prints. */
async function refusedStart(settings: Record<string, string>): Promise<string> {
  const service = await launchService(settings)
  const ending = await service.ready().then(
    () => 'came up',
    () => service.ended,
  )
  const lines = service.stderr.split('\n')
  expect({ ending, lines }).toEqual({
    ending: { code: 1, signal: null },
    lines: [expect.stringMatching(/\S/), ''],
  })
  return lines[0] ?? ''
}

async function withEnvFile(lines: string[]): Promise<string> {
  const home = await mkdtemp(join(folder, 'home-'))
  await writeFile(join(home, '.env'), `${lines.join('\n')}\n`)
  return home
}

/** Sends the head of a request and waits until the service has taken it on; the body comes later. */
async function beginRequest(url: string, path: string, body: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk: Buffer) => void (received += chunk.toString()))
  const head = ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]
  const lines = [`POST ${path} HTTP/1.1`, 'host: localhost', ...head, 'expect: 100-continue']
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await eventually(() => expect(received).toContain('100 Continue'))
  received = ''
  return {
    /** The answer; the service hangs up after it and does not wait for another request. */
    async finish() {
      socket.write(body)
      await eventually(() => expect(socket.closed).toBe(true))
      return received
    },
  }
}
