/**
 * A whole service in this process: real HTTP on loopback, a real database, and a clock that a test can move.
 * Users call it through the typed client, and every response is validated against the contract.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Client } from '../../src/client/client.ts'
import { ApiProblem, createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { parseConfig } from '../../src/server/config/config.ts'
import type { Context } from '../../src/server/context.ts'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import type { Replica } from '../../src/server/database/replica.ts'
import { seedDevAccounts } from '../../src/server/features/accounts/dev-accounts.ts'
import type { CaptionWriter } from '../../src/server/features/captions/provider/caption-writer.ts'
import type { Enhancers } from '../../src/server/features/enhancement/enhancer.ts'
import type { FeedSource } from '../../src/server/features/feeds/feed-source.ts'
import type { PaymentMethods } from '../../src/server/features/payments/payment-method.ts'
import type { Route } from '../../src/server/http/route.ts'
import { runJob } from '../../src/server/jobs/job.ts'
import { startNode } from '../../src/server/node.ts'
import type { Log } from '../../src/server/platform/log.ts'
import { createLog } from '../../src/server/platform/log.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { emptyDatabase } from './clean-database.ts'
import { checkAnswer, checkResponse, lastError } from './contract-check.ts'
import type { CookieJar } from './cookie-jar.ts'
import { createCookieJar } from './cookie-jar.ts'
import { unlimited } from './service-process.ts'
import { openTestDatabase } from './test-database.ts'

export type Person = Client & {
  readonly jar: CookieJar
  /**
   * Sends a request as a browser or a tool would, with this person's cookies. The response is validated too.
   */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
}

export type World = {
  readonly url: string
  readonly ctx: Context
  readonly clock: { now(): Date; advance(ms: number): void; set(time: string): void }
  /** Returns a signed-in user with an account. */
  readonly as: (name: string) => Promise<Person>
  /** Turns credits on or off, as an administrator does. */
  readonly turnCredits: (credits: 'on' | 'off') => Promise<void>
  /** Returns a caller without cookies. */
  readonly visitor: (headers?: Record<string, string>) => Person
  /** Runs the due jobs, and those that they enqueue, until none is left. */
  readonly runJobs: () => Promise<number>
  /** Resets to an empty site with the seeded tags, categories and accounts. */
  readonly reset: () => Promise<void>
  readonly close: () => Promise<void>
}

export const password = 'a long enough password'

/** The minimum cost: every test creates users, and hashing would take most of its time. */
export const cheapPasswords = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export async function createWorld(
  settings: Record<string, string> = {},
  options: {
    database?: DatabaseHandle
    replica?: Replica
    webFolder?: string
    extraRoutes?: readonly Route[]
    feed?: FeedSource
    captions?: CaptionWriter
    storage?: Storage
    enhancers?: Enhancers
    payments?: PaymentMethods
    /**
     * New accounts start as on a real site; by default they start empty, so that a test knows their content.
     */
    givesOpenings?: boolean
    /** Hashes passwords with the cost of a real site. */
    hashesInFull?: boolean
    log?: Log
  } = {},
): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lanternist-world-'))
  const { BASE_URL: baseUrl = 'http://lanternist.test', ...others } = settings
  const isProduction = settings['NODE_ENV'] === 'production'
  const config = parseConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    // Outside production the settings accept only this machine's own names, but links need a recognisable
    // host; `settings.test.ts` tests which are refused.
    BASE_URL: isProduction ? baseUrl : 'http://localhost',
    ...unlimited,
    ...others,
  })
  let offsetMs = 0
  const now = () => new Date(Date.now() + offsetMs)
  const node = await startNode(
    { ...config, baseUrl },
    {
      webFolder: options.webFolder ?? null,
      worksOnJobs: false,
      extraRoutes: options.extraRoutes ?? [],
      replacements: {
        database: options.database ?? (await openTestDatabase()),
        log: options.log ?? testLog(),
        now,
        ...(options.replica ? { replica: options.replica } : {}),
        ...(options.feed ? { feed: options.feed } : {}),
        ...(options.captions ? { captions: options.captions } : {}),
        ...(options.storage ? { storage: options.storage } : {}),
        ...(options.enhancers ? { enhancers: options.enhancers } : {}),
        ...(options.payments ? { payments: options.payments } : {}),
        ...(options.givesOpenings ? {} : { giveOpening: async () => {} }),
        ...(options.hashesInFull ? {} : { passwordCost: cheapPasswords }),
      },
    },
  )
  const seededPrices = JSON.stringify(
    await node.ctx.db.selectFrom('feature_pricing').selectAll().execute(),
  )
  const visitor = (headers: Record<string, string> = {}) => personAt(node.url, headers)
  return {
    url: node.url,
    ctx: node.ctx,
    clock: {
      now,
      advance: (ms) => void (offsetMs += ms),
      set: (time) => void (offsetMs = new Date(time).getTime() - Date.now()),
    },
    visitor,
    async as(name) {
      const person = visitor()
      await person.accounts.register({
        body: { email: `${name}@example.test`, password, firstName: name },
      })
      return person
    },
    async turnCredits(credits) {
      const admin = visitor()
      await admin.accounts.devSignIn()
      await admin.admin.changeSettings({ body: { credits } })
    },
    runJobs: () => runDueJobs(node.ctx, now()),
    async reset() {
      await emptyDatabase(node.ctx)
      await sql`delete from feature_pricing`.execute(node.ctx.db)
      await sql`insert into feature_pricing
        select * from jsonb_populate_recordset(null::feature_pricing, ${seededPrices}::jsonb)`.execute(
        node.ctx.db,
      )
      await seedDevAccounts(node.ctx)
    },
    async close() {
      await node.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export function testLog(): Log {
  const level = process.env['TEST_LOG']
  return level === undefined ? createLog('error', lastError) : createLog(level)
}

/** Returns the refusal of a call; a call that succeeds fails the test. */
export async function refused(call: Promise<unknown>): Promise<ApiProblem> {
  const outcome: unknown = await call.catch((error: unknown) => error)
  if (outcome instanceof ApiProblem) return outcome
  if (outcome instanceof Error) throw outcome
  throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`)
}

/** Returns the status of a refusal and the `code` in its body. */
export async function refusalOf(call: Promise<unknown>): Promise<[status: number, code: unknown]> {
  const { status, body } = await refused(call)
  return [status, (body as { code?: unknown }).code]
}

/** Creates a caller of any service, whose requests go through `send`. */
export function personAt(
  url: string,
  headers: Record<string, string> = {},
  send: typeof fetch = fetch,
): Person {
  const jar = createCookieJar()
  const fetchWithCookies: typeof fetch = async (input, init) => {
    const sent = new Headers(init?.headers)
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    if (jar.header() !== '') sent.set('cookie', jar.header())
    const response = await send(input, { redirect: 'manual', ...init, headers: sent })
    jar.keep(response.headers.getSetCookie())
    return response
  }
  const client = createClient(api, { baseUrl: url, fetch: fetchWithCookies, observe: checkAnswer })
  return {
    ...client,
    jar,
    async fetch(path, init) {
      const response = await fetchWithCookies(`${url}${path}`, init)
      await checkResponse(init?.method ?? 'GET', `${url}${path}`, response)
      return response
    },
  }
}

async function runDueJobs(ctx: Context, now: Date): Promise<number> {
  // The queue uses the database's clock, the world its own.
  await sql`update pgboss.job set start_after = now()
    where state in ('created', 'retry') and start_after <= ${now}`.execute(ctx.db)
  let done = 0
  for (let found = true; found;) {
    found = false
    // Most queues are empty, and fetching from each would take most of the time.
    const due = await queuesWithJobs(ctx)
    for (const job of ctx.queue.jobs.filter(({ name }) => due.has(name))) {
      for (const { id, data } of await ctx.queue.boss.fetch(job.name, { batchSize: 100 })) {
        found = true
        done += 1
        try {
          await runJob(ctx, job, data)
          await ctx.queue.boss.complete(job.name, id)
        } catch (error) {
          ctx.log.error({ err: error }, 'job failed')
          await ctx.queue.boss.fail(job.name, id, { message: String(error) })
        }
      }
    }
  }
  return done
}

async function queuesWithJobs({ db }: Context): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select distinct name from pgboss.job
    where state in ('created', 'retry') and start_after <= now()`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
