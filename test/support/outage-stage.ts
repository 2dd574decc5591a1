/** The service as a process, with a proxy before each dependency that can make it silent. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveCaptions } from './caption-server.ts'
import { lemmyList } from './lemmy-server.ts'
import type { PostgresServer } from './postgres-server.ts'
import { startPostgres } from './postgres-server.ts'
import { startRedisServer } from './redis-server.ts'
import { s3Settings, startS3Server } from './s3-server.ts'
import type { ServiceProcess } from './service-process.ts'
import { launchService, unlimited } from './service-process.ts'
import type { SilentProxy } from './silent-proxy.ts'
import { startSilentProxy } from './silent-proxy.ts'
import { startReplicaOf, startSystemPostgres } from './system-postgres.ts'

export type OutageStage = {
  readonly server: Pick<PostgresServer, 'urlOf'>
  readonly database: SilentProxy
  /** Null unless requested. */
  readonly replica: SilentProxy | null
  readonly redis: SilentProxy
  readonly store: SilentProxy
  readonly captions: SilentProxy
  readonly feed: SilentProxy
  readonly launch: (settings?: Record<string, string>) => Promise<ServiceProcess>
  readonly close: () => Promise<void>
}

/** Opens the stage. `withReplica` needs the system's PostgreSQL: the one from npm cannot create a replica. */
export async function openOutageStage({ withReplica = false } = {}): Promise<OutageStage> {
  const server = withReplica ? await startSystemPostgres() : await startPostgres()
  const redisServer = await startRedisServer()
  const s3 = await startS3Server()
  const captionServer = await serveCaptions()
  const lemmy = await startLemmy()
  await server.administer('create database outages')
  const url = new URL(server.urlOf('outages'))
  const standby = 'port' in server ? await startReplicaOf(server) : null
  const replica = standby && (await startSilentProxy(standby.port))
  const database = await startSilentProxy(Number(url.port))
  const redis = await startSilentProxy(redisServer.port)
  const store = await startSilentProxy(Number(new URL(s3.options.endpoint).port))
  const captions = await startSilentProxy(Number(new URL(captionServer.url).port))
  const feed = await startSilentProxy(portOf(lemmy))
  url.port = String(database.port)
  const settings = {
    ...unlimited,
    DATABASE_URL: url.href,
    ...(replica && { DATABASE_REPLICA_URL: atPort(url.href, replica.port) }),
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    ...s3Settings({ ...s3.options, endpoint: `http://127.0.0.1:${store.port}` }),
    CAPTIONS: 'openai',
    CAPTION_BASE_URL: atPort(captionServer.url, captions.port),
    CAPTION_API_KEY: 'test-key',
    FEED: 'lemmy',
    LEMMY_URL: `http://127.0.0.1:${feed.port}`,
    FETCH_ALLOW: `127.0.0.1:${feed.port}`,
    SESSION_SECRET: 'a secret for all starts of this stage',
  }
  return {
    server,
    database,
    replica,
    redis,
    store,
    captions,
    feed,
    launch: (more = {}) => launchService({ ...settings, ...more }),
    async close() {
      for (const proxy of [database, replica, redis, store, captions, feed]) await proxy?.close()
      await captionServer.close()
      lemmy.closeAllConnections()
      lemmy.close()
      await s3.stop()
      await redisServer.stop()
      await standby?.stop()
      await server.stop()
    },
  }
}

/** Starts a Lemmy of 0.19, without the newer site endpoint. Its community `nothing` is empty. */
export async function startLemmy(): Promise<Server> {
  const server = createServer((request, response) => {
    const isList = /\/(post\/list|search)/.test(request.url ?? '')
    const isEmpty = request.url?.includes('community_name=nothing')
    const list = lemmyList('0.19', isEmpty ? [] : [1, 2])
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' })
    response.end(isList ? JSON.stringify('body' in list ? list.body : null) : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function atPort(address: string, port: number): string {
  const url = new URL(address)
  url.port = String(port)
  return url.href
}

/** Requests of a signed-in user, with the time of each response. An absolute address selects another node. */
export type Caller = (
  path: string,
  init?: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> },
) => Promise<Timed>

export type Timed = { readonly status: number; readonly ms: number; readonly body: unknown }

const patienceMs = 40_000

export function registerCaller(url: string, name: string): Promise<Caller> {
  return enter(`${url}/api/auth/register`, url, name)
}

/** Signs the same user in again. */
export function signInCaller(url: string, name: string): Promise<Caller> {
  return enter(`${url}/api/login`, url, name)
}

async function enter(door: string, url: string, name: string): Promise<Caller> {
  const entered = await fetch(door, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.test`, password: 'a long enough password' }),
    redirect: 'manual',
  })
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  return (path, init = {}) =>
    timed(new URL(path, url).href, { ...init, headers: { cookie, ...init.headers } })
}

/** Grants credits as the first development account, which is an administrator. */
export async function grantCredits(url: string, caller: Caller, amount: number): Promise<void> {
  const signedIn = await fetch(`${url}/api/dev-login`, { redirect: 'manual' })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const { id } = (await caller('/api/auth/user')).body as { id: string }
  const { status } = await timed(`${url}/api/admin/users/${id}/grant`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ amount, reason: 'For a fault' }),
  })
  if (status !== 200) throw new Error(`credits were not granted: ${status}`)
}

/** Returns status 0 when no response arrived in time. */
export async function timed(url: string, init: RequestInit = {}): Promise<Timed> {
  const beganMs = performance.now()
  const signal = AbortSignal.timeout(patienceMs)
  const took = () => Math.round(performance.now() - beganMs)
  try {
    const answer = await fetch(url, { redirect: 'manual', ...init, signal })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    return { status: answer.status, ms: took(), body: isJson ? JSON.parse(text) : text }
  } catch {
    return { status: 0, ms: took(), body: null }
  }
}

/** Returns the count of each status, and the slowest response. */
export function summary(answers: readonly Timed[]): string {
  const counts = Map.groupBy(answers, ({ status }) => status)
  const words = [...counts].map(([status, all]) => `${all.length} × ${status || 'no answer'}`)
  return `${words.join(', ')}, slowest ${slowestMs(answers)} ms`
}

export function slowestMs(answers: readonly Timed[]): number {
  return Math.max(...answers.map(({ ms }) => ms))
}
