/** Builds the context of a node; no other file does. Tests replace some parts. */
import { randomUUID } from 'node:crypto'
import { sourceLanguage } from '../contract/page-languages.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import type { DatabaseHandle } from './database/database.ts'
import { openDatabase } from './database/database.ts'
import { migrate } from './database/migrations.ts'
import type { Replica } from './database/replica.ts'
import { openReplica } from './database/replica.ts'
import { passwordCost } from './features/accounts/accounts.ts'
import type { CaptionWriter } from './features/captions/provider/caption-writer.ts'
import { createCaptions } from './features/captions/provider/create-captions.ts'
import { markPublishedAdult } from './features/community/publication-queries.ts'
import { publishFilled, publishSession, withdrawSession } from './features/community/publication.ts'
import { createEnhancers } from './features/enhancement/create-enhancers.ts'
import type { Enhancers } from './features/enhancement/enhancer.ts'
import { createSources } from './features/feeds/create-sources.ts'
import type { FeedSource } from './features/feeds/feed-source.ts'
import { promiseOpening } from './features/openings/openings.ts'
import { createPayments } from './features/payments/create-payments.ts'
import type { PaymentMethods } from './features/payments/payment-method.ts'
import { createRoomHub } from './features/rooms/room-hub.ts'
import { createEventHub } from './features/sessions/events/event-hub.ts'
import { readSettings } from './features/settings/settings.ts'
import type { Job } from './jobs/job.ts'
import { createQueue } from './jobs/queue.ts'
import { loadDemo } from './load-demo.ts'
import { createTurns } from './platform/concurrency/turns.ts'
import { createSafeFetch } from './platform/fetch/safe-fetch.ts'
import { createMemoryLimitStore } from './platform/limits/limit-store.ts'
import { createRedisLimitStore } from './platform/limits/redis-limit-store.ts'
import type { Log } from './platform/log.ts'
import { createLog } from './platform/log.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import { createMetrics } from './platform/metrics.ts'
import type { OidcProvider } from './platform/oidc-provider.ts'
import { openFileStorage } from './platform/storage/file-storage.ts'
import type { Storage } from './platform/storage/storage.ts'

export type OpenContext = {
  readonly ctx: Context
  readonly beginStop: () => void
  readonly close: () => Promise<void>
}

/** Parts that a test replaces. */
export type Replacements = {
  readonly database?: DatabaseHandle
  readonly replica?: Replica
  readonly now?: () => Date
  readonly log?: Log
  readonly feed?: FeedSource
  readonly captions?: CaptionWriter
  readonly storage?: Storage
  readonly enhancers?: Enhancers
  readonly payments?: PaymentMethods
  readonly giveOpening?: Context['giveOpening']
  readonly passwordCost?: Context['passwordCost']
}

export async function openContext(
  config: Config,
  jobs: readonly Job[],
  replacements: Replacements = {},
  languages: readonly string[] = [sourceLanguage],
): Promise<OpenContext> {
  const log = replacements.log ?? createLog(config.logLevel)
  const now = replacements.now ?? (() => new Date())
  const stopping = new AbortController()
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.toReversed()) await closer()
  }
  try {
    const demo = await loadDemo(config, replacements, { now, log })
    if (demo) closers.push(() => demo.close())
    const database = replacements.database ?? (await openDatabase(config, log))
    closers.push(database.close)
    const applied = await migrate(database)
    if (applied.length > 0) log.info({ event: 'database_migrated', applied }, 'database migrated')
    const replica = replacements.replica ?? createReplica(config, database, log)
    closers.push(async () => replica?.close())
    const queue = await createQueue(database.queueConnection, jobs, log)
    closers.push(() => queue.stop(0))
    const storage = replacements.storage ?? (await createStorage(config))
    closers.push(() => storage.close())
    const { limits, closeLimits } = await createLimits(config, log, now)
    closers.push(closeLimits)
    const notifications = await database.openNotifications(log)
    closers.push(() => notifications.close())
    const { signal } = stopping
    const { db, query } = database
    const shared = { db, query, notifications, log, now, newId: randomUUID, stopping: signal }
    const eventHub = createEventHub(shared)
    closers.push(() => eventHub.close())
    const roomHub = createRoomHub(shared)
    closers.push(() => roomHub.close())
    const safeFetch = createSafeFetch({ allow: config.fetchAllow })
    const siteName = async () => (await readSettings(ctx)).siteName
    const sources = await createSources(
      config,
      { ...shared, fetch, safeFetch, siteName },
      { demo: demo?.feed ?? null, first: replacements.feed ?? null },
    )
    const enhancers = replacements.enhancers ?? createEnhancers()
    closers.push(() => enhancers.close())
    const mail = await createMail(config)
    closers.push(async () => mail?.close())
    const ctx: Context = {
      ...shared,
      config,
      replica,
      queue,
      storage,
      fetch: safeFetch,
      sources,
      // Null if only its captions are used, or another feed has taken its name.
      demo: sources.find('demo') && replacements.feed?.name !== 'demo' ? demo : null,
      captions:
        replacements.captions ??
        (await createCaptions(config.captions, { fetch, now }, demo?.captions)),
      enhancers,
      payments: replacements.payments ?? createPayments(config, { fetch }),
      oidc: await createOidc(config),
      mail,
      limits,
      eventHub,
      roomHub,
      publisher: { publishSession, publishFilled, markPublishedAdult, withdrawSession },
      giveOpening: replacements.giveOpening ?? promiseOpening,
      passwordCost: replacements.passwordCost ?? passwordCost,
      turns: createTurns(),
      metrics: createMetrics({ hasReplica: replica !== null }),
      claim: null,
      languages,
    }
    return { ctx, beginStop: () => stopping.abort(), close }
  } catch (error) {
    await close()
    throw error
  }
}

export async function createStorage(config: Pick<Config, 'storage' | 'dataDir'>): Promise<Storage> {
  if (config.storage.kind !== 's3') return openFileStorage(config)
  // The library is loaded only where it is used: loading is half of a start.
  const { createS3Storage } = await import('./platform/storage/s3-storage.ts')
  return createS3Storage(config.storage)
}

function createReplica(config: Config, database: DatabaseHandle, log: Log): Replica | null {
  const { databaseReplicaUrl: url, databaseUrl, databaseDirectUrl } = config
  if (!url) return null
  return openReplica(url, database, { log, isPooled: databaseUrl !== databaseDirectUrl })
}

async function createMail(config: Config): Promise<Mailer | null> {
  if (!config.mail) return null
  const { createMailer } = await import('./platform/mail/mailer.ts')
  return createMailer(config.mail)
}

async function createOidc(config: Config): Promise<OidcProvider | null> {
  if (!config.oidc) return null
  const { createOidcProvider } = await import('./platform/oidc-provider.ts')
  const callbackUrl = `${config.baseUrl}/api/callback`
  return createOidcProvider(config.oidc, { callbackUrl, allowHttp: !config.production })
}

/** Creates the rate limits: several nodes share them through Redis, a single node keeps its own. */
async function createLimits(config: Config, log: Log, now: () => Date) {
  const nowMs = () => now().getTime()
  if (!config.redisUrl)
    return { limits: createMemoryLimitStore({ nowMs }), closeLimits: async () => {} }
  const { connectRedis } = await import('./platform/limits/redis.ts')
  const redis = await connectRedis(config.redisUrl, log)
  const limits = createRedisLimitStore(redis, { nowMs, log })
  const closeLimits = async () => {
    await limits.close()
    await redis.close()
  }
  return { limits, closeLimits }
}
