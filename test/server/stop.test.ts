/** The end of a running service process: by a signal, after a lost database, or when its parent is gone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildEmbeddedIfStale } from '../../scripts/build-embedded.ts'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { heapFlags } from '../../src/server/platform/re-exec.ts'
import { eventually } from '../support/eventually.ts'
import { peakMb } from '../support/process-figures.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startPostgres } from '../support/postgres-server.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import {
  builtServer,
  endServices,
  endWithUs,
  refusedStart,
  startService,
} from '../support/service-process.ts'
import { startSilentProxy } from '../support/silent-proxy.ts'

const repository = resolve(import.meta.dirname, '../..')

let folder: string
let postgres: PostgresServer

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  folder = await mkdtemp(join(tmpdir(), 'lanternist-stop-'))
  postgres = await startPostgres()
})

afterAll(async () => {
  await endServices()
  await postgres.stop()
  await rm(folder, { recursive: true })
})

test.each(['silent', 'refused', 'reset'] as const)(
  'SIGTERM ends a service cleanly whose database is gone: %s',
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

test('SIGTERM ends a service whose log nothing reads', async () => {
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
  await eventually(() => expect(said).toContain('Lanternist is up'))
  child.stdout.pause()
  const { url } = JSON.parse(said.split('\n').find((line) => line.includes('is up')) ?? '') as {
    url: string
  }
  // Each request writes a log line. Together they are more than a pipe holds.
  const ask = async () => {
    for (let asked = 0; asked < 400; asked += 1)
      await fetch(`${url}/api/nowhere`).then((answer) => answer.arrayBuffer())
  }
  await Promise.all(Array.from({ length: 10 }, ask))
  child.kill('SIGTERM')
  // Another process killed it: an exit would have waited for a reader of the log.
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

describe('a running service', () => {
  let service: ServiceProcess

  beforeAll(async () => {
    // `npm start` builds the template, and an image contains it. Without it a first start takes 750 MB.
    await buildEmbeddedIfStale({ print: () => {} })
    const file = ['BASE_URL=http://file.localhost', 'DATA_DIR=from-file', 'HOST=203.0.113.1']
    service = await startService({}, { folder: await withEnvFile(file) })
  })

  test('honours a .env file, over which the environment wins', () => {
    expect(service.stdout).toContain('"baseUrl":"http://file.localhost"')
    expect(existsSync(join(service.folder, 'from-file/postgres'))).toBe(true)
    // HOST in the file is an address that no machine has; the environment sets loopback.
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
    expect(await refusedStart(settings)).toBe(
      `PORT: 127.0.0.1:${port} is in use by another process`,
    )
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  })

  test('keeps its folder: a second process on it is refused and the first goes on', async () => {
    const dataDir = join(service.folder, 'from-file')
    const line = await refusedStart({ DATA_DIR: dataDir })
    expect(line).toContain(`DATA_DIR: ${dataDir} is in use by another process`)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    expect((await fetch(`${service.url}/api/dev-login`, { redirect: 'manual' })).status).toBe(302)
  })

  test('on SIGTERM finishes the request that it is reading, and exits with 0', async () => {
    const { hostname, port } = new URL(service.url)
    const silent = connect(Number(port), hostname)
    silent.resume()
    await once(silent, 'connect')
    const body = JSON.stringify({ email: 'dev1@example.test', password: 'dev-password-1' })
    const half = await beginRequest(service.url, '/api/login', body)
    const ended = service.stop()
    await eventually(() => expect(service.stdout).toContain('"msg":"stopping"'))
    // A stop does not wait for a connection without a request.
    await eventually(() => expect(silent.closed).toBe(true))
    expect(await half.finish()).toMatch(/^HTTP\/1\.1 302 [^]*set-cookie: connect\.sid=/i)
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(service.stdout).toContain('"msg":"stopped"')
    expect(service.stderr).toBe('')
  })
})

/**
 * Starts a service whose parent is another program. `closed` resolves when no process has its output open
 * any more.
 */
async function startBelow(program: string, words: readonly string[], dataDir: string) {
  const { PATH, HOME } = process.env
  const parent = spawn(program, words, {
    cwd: repository,
    env: { PATH, HOME, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', FEED: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // In a process group, which keeps its number when the parent is gone.
    detached: true,
  })
  const group = -Number(parent.pid)
  let hasEnded = false
  const closed = once(parent, 'close').then(() => (hasEnded = true))
  endWithUs(group, closed)
  let said = ''
  parent.stdout.on('data', (chunk: Buffer) => void (said += chunk.toString()))
  await eventually(() => expect(said).toContain('Lanternist is up'))
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

async function withEnvFile(lines: string[]): Promise<string> {
  const home = await mkdtemp(join(folder, 'home-'))
  await writeFile(join(home, '.env'), `${lines.join('\n')}\n`)
  return home
}

/** Sends the head of a request and waits until the service has accepted it. The body follows later. */
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
    /** Sends the body and returns the answer. The service closes the connection after it. */
    async finish() {
      socket.write(body)
      await eventually(() => expect(socket.closed).toBe(true))
      return received
    },
  }
}
