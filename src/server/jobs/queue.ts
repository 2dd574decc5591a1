/**
 * The job queue on pg-boss, in the same database as all other data, so that a change and its job are one
 * transaction. A worker that dies stops its heartbeat, and another takes its job. Each job belongs to an
 * account. Accounts take turns, and a node runs one job of a kind at a time per account.
 */
import type { Db, QueueResult } from 'pg-boss'
import { PgBoss } from 'pg-boss'
import type { Context } from '../context.ts'
import type { Database, DatabaseHandle } from '../database/database.ts'
import { DatabaseUnreachable } from '../database/outage.ts'
import { runFireAndForget } from '../database/statement.ts'
import type { Part } from '../database/statement-parts.ts'
import type { AccountScope } from '../platform/concurrency/account-scope.ts'
import { currentScope, inAccountScope, siteScope } from '../platform/concurrency/account-scope.ts'
import type { Log } from '../platform/log.ts'
import type { Job } from './job.ts'
import { runJob } from './job.ts'
import type { Promises } from './promises.ts'
import { readPromises } from './promises.ts'
import { ensureRankIndexes } from './rank-queries.ts'

export type Queue = {
  readonly boss: PgBoss
  readonly jobs: readonly Job[]
  send(db: Database, name: string, payload: object, options: SendOptions): Promise<void>
  /** Adds jobs for one account. */
  sendAll(
    db: Database,
    name: string,
    payloads: readonly object[],
    options: SendOptions,
  ): Promise<void>
  /** Returns `Promises.part` for a queue. */
  promisePart(name: string): Part
  /** Rejects if the queue cannot be used. */
  check(): Promise<void>
  /** Stores the cron schedules of the jobs. It may run twice. */
  schedule(): Promise<void>
  /** Starts to run jobs on this node. */
  work(ctx: Context): Promise<void>
  /**
   * Takes no more jobs, waits for the running ones until the timeout, and returns the others to the queue.
   */
  stop(timeoutMs: number): Promise<void>
}

export type SendOptions = {
  readonly startAfter?: Date
  /** The account that the job belongs to. Default: the current scope. */
  readonly scope?: AccountScope
}

export const deadLetters = 'dead-letters'

const heartbeatSeconds = 20
const reclaimSeconds = 10
const retryDelaySeconds = 5
const lastTier = 'last'

// A notification wakes a worker for a new job, but not for a retry or a delayed job that is due now. Those
// wait until the worker polls.
const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5 }

export async function createQueue(
  connection: DatabaseHandle['queueConnection'],
  jobs: readonly Job[],
  log: Log,
): Promise<Queue> {
  let isOutageLogged = false
  const { connection: quiet, beginListening } = listenLater(connection, () => {
    isOutageLogged = false
  })
  const boss = new PgBoss({
    ...quiet,
    superviseIntervalSeconds: reclaimSeconds,
    monitorIntervalSeconds: reclaimSeconds,
    useListenNotify: true,
  })
  boss.on('error', (error) => {
    // By name, because pg-boss passes copies of errors. All workers fail until the database is back.
    const isOutage = error.name === DatabaseUnreachable.name
    if (isOutage && isOutageLogged) return
    isOutageLogged ||= isOutage
    log.error({ event: 'queue_failed', err: error }, 'job queue error')
  })
  const promisesByQueue = new Map<string, Promises>()
  try {
    await boss.start()
    await ensureRankIndexes(boss)
    await declareQueues(boss, jobs)
    for (const { name } of jobs) promisesByQueue.set(name, await readPromises(boss, name))
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  const promisesOf = (name: string) => {
    const promises = promisesByQueue.get(name)
    if (!promises) throw new Error(`there is no queue ${name}`)
    return promises
  }
  const sendAll: Queue['sendAll'] = async (db, name, payloads, options) => {
    const { startAfter, scope = currentScope() } = options
    const same = { startAfter, groupId: scope.account, groupTier: tierOf(scope) }
    const sent = payloads.map((data, index) => ({ ...same, data, priority: -index }))
    const parameters = [JSON.stringify(sent), name, scope.account]
    await runFireAndForget(db, promisesOf(name).statement(scope), parameters)
  }
  return {
    boss,
    jobs,
    send: (db, name, payload, options) => sendAll(db, name, [payload], options),
    sendAll,
    promisePart(name) {
      const scope = currentScope()
      return {
        text: promisesOf(name).part(scope),
        parameters: [scope.account, tierOf(scope), name],
      }
    },
    check: async () => void (await boss.getQueue(deadLetters)),
    async schedule() {
      const known = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]))
      for (const { name, schedule } of jobs)
        if (schedule && known.get(name) !== schedule)
          await boss.schedule(name, schedule, null, { tz: 'UTC' })
    },
    async work(ctx) {
      await beginListening().catch((error: unknown) =>
        // Workers still poll every few seconds.
        log.error(
          { event: 'queue_unheard', err: error },
          'failed to listen for new jobs, polling instead',
        ),
      )
      await workOn(ctx, boss, jobs)
    },
    async stop(timeoutMs) {
      // Workers stop first: while pg-boss stops its other tasks, a worker would take one more job.
      await Promise.all(jobs.map(({ name }) => boss.offWork(name, { wait: false })))
      await boss.stop({ graceful: true, timeout: timeoutMs }).catch((error: unknown) => {
        // Their heartbeats have stopped, so other nodes will take them over.
        log.error(
          { event: 'jobs_not_returned', err: error },
          'failed to return running jobs to the queue',
        )
      })
    },
  }
}

/**
 * Delays LISTEN until workers start. pg-boss listens from its start, so nodes without workers would receive
 * a notification for every new job. Until then only its arguments are kept. `onAnswer` is called after each
 * successful statement, to notice that a server is back after an outage.
 */
function listenLater(connection: DatabaseHandle['queueConnection'], onAnswer: () => void) {
  const { db } = connection
  let begin: (() => Promise<void>) | undefined
  const beginListening = async () => begin?.()
  if (!db?.listen) return { connection, beginListening }
  const listen: Db['listen'] = async (...heard) => {
    let handle: { close(): Promise<void> } | undefined
    begin = async () => void (handle = await db.listen?.(...heard))
    return { close: async () => handle?.close() }
  }
  const executeSql: Db['executeSql'] = async (...asked) => {
    const answer = await db.executeSql(...asked)
    onAnswer()
    return answer
  }
  const quiet = { ...connection, db: { ...db, listen, executeSql } }
  return { connection: quiet, beginListening }
}

/** Declares missing or changed queues only: each takes four statements, and most starts need none. */
async function declareQueues(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  if (!known.has(deadLetters)) await boss.createQueue(deadLetters)
  for (const job of jobs) {
    const options = queueOptionsOf(job)
    const queue = known.get(job.name)
    if (!queue || !isDeclared(queue, options)) await declareQueue(boss, job.name, options)
  }
}

type QueueOptions = ReturnType<typeof queueOptionsOf>

function queueOptionsOf(job: Job) {
  return {
    retryLimit: job.retries,
    retryDelay: retryDelaySeconds,
    retryBackoff: true,
    expireInSeconds: job.timeLimitSeconds,
    heartbeatSeconds,
    deadLetter: deadLetters,
    notify: true,
  }
}

function isDeclared(queue: QueueResult, options: QueueOptions): boolean {
  return Object.keys(options).every(
    (name) => queue[name as keyof QueueOptions] === options[name as keyof QueueOptions],
  )
}

async function declareQueue(boss: PgBoss, name: string, options: QueueOptions): Promise<void> {
  await boss.createQueue(name, options)
  await boss.updateQueue(name, options)
}

async function workOn(ctx: Context, boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) {
    for (let workers = 0; workers < (job.atOnce ?? 1); workers += 1)
      await startWorker(ctx, boss, job)
  }
}

async function startWorker(ctx: Context, boss: PgBoss, job: Job): Promise<void> {
  const options = { ...polling, localGroupConcurrency: 1 }
  const working = boss.work(job.name, options, async (taken) => {
    try {
      for (const { id, data, ...group } of taken)
        await inAccountScope(scopeOf(group), () => runLogged(ctx, job, id, data))
    } finally {
      // Jobs that were added together sent one notification, so the worker looks for more before it waits.
      boss.notifyWorker(await working)
    }
  })
  await working
}

/** Returns the tier under which pg-boss stores the account's jobs. */
function tierOf({ isLast }: AccountScope): string | null {
  return isLast ? lastTier : null
}

/** Returns the scope of a job. Scheduled jobs belong to the site. */
export function scopeOf(job: { groupId?: string | null; groupTier?: string | null }): AccountScope {
  const account = job.groupId ?? siteScope.account
  return job.groupTier === lastTier ? { account, isLast: true } : { account }
}

async function runLogged(ctx: Context, job: Job, id: string, payload: unknown): Promise<void> {
  const log = ctx.log.child({ job: job.name, jobId: id })
  const startedAt = performance.now()
  try {
    await runJob({ ...ctx, log }, job, payload)
    ctx.metrics.jobDone(job.name, 'completed')
    log.debug({ event: 'job_done', ms: Math.round(performance.now() - startedAt) }, 'job done')
  } catch (error) {
    ctx.metrics.jobDone(job.name, 'failed')
    log.error({ event: 'job_failed', err: error }, 'job failed')
    throw error
  }
}
