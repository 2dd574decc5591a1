/** The service as a process, with everything that it depends on behind something that can fall silent. */
import type { PostgresServer } from './postgres-server.ts'
import { startPostgres } from './postgres-server.ts'
import { startRedisServer } from './redis-server.ts'
import { startS3Server } from './s3-server.ts'
import type { ServiceProcess } from './service-process.ts'
import { launchService, unlimited } from './service-process.ts'
import type { SilentProxy } from './silent-proxy.ts'
import { startSilentProxy } from './silent-proxy.ts'

export type OutageStage = {
  readonly server: PostgresServer
  readonly database: SilentProxy
  readonly redis: SilentProxy
  readonly store: SilentProxy
  readonly launch: (settings?: Record<string, string>) => Promise<ServiceProcess>
  readonly close: () => Promise<void>
}

export async function openOutageStage(): Promise<OutageStage> {
  const server = await startPostgres()
  const redisServer = await startRedisServer()
  const s3 = await startS3Server()
  await server.administer('create database outages')
  const url = new URL(server.urlOf('outages'))
  const database = await startSilentProxy(Number(url.port))
  const redis = await startSilentProxy(redisServer.port)
  const store = await startSilentProxy(Number(new URL(s3.options.endpoint).port))
  url.port = String(database.port)
  const settings = {
    ...unlimited,
    DATABASE_URL: url.href,
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    STORAGE: 's3',
    S3_ENDPOINT: `http://127.0.0.1:${store.port}`,
    S3_REGION: s3.options.region,
    S3_ACCESS_KEY_ID: s3.options.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.options.secretAccessKey,
    S3_BUCKET_USER_MEDIA: s3.options.buckets['user-media'],
    S3_BUCKET_GENERAL: s3.options.buckets.general,
    SESSION_SECRET: 'a secret for all starts of this stage',
  }
  return {
    server,
    database,
    redis,
    store,
    launch: (more = {}) => launchService({ ...settings, ...more }),
    async close() {
      for (const proxy of [database, redis, store]) await proxy.close()
      await s3.stop()
      await redisServer.stop()
      await server.stop()
    },
  }
}

/** Someone with an account, who knows how long each answer took. */
export type Caller = (path: string, init?: RequestInit) => Promise<Timed>

export type Timed = { readonly status: number; readonly ms: number; readonly body: unknown }

const patienceMs = 20_000

export async function registerCaller(url: string, name: string): Promise<Caller> {
  const registered = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.test`, password: 'a long enough password' }),
  })
  const cookie = registered.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  return (path, init = {}) => timed(`${url}${path}`, { ...init, headers: { cookie } })
}

/** Status 0 where there was no answer in time. */
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

/** How often each status came, and the slowest answer. */
export function summary(answers: readonly Timed[]): string {
  const counts = Map.groupBy(answers, ({ status }) => status)
  const words = [...counts].map(([status, all]) => `${all.length} × ${status || 'no answer'}`)
  return `${words.join(', ')}, slowest ${slowestMs(answers)} ms`
}

export function slowestMs(answers: readonly Timed[]): number {
  return Math.max(...answers.map(({ ms }) => ms))
}
