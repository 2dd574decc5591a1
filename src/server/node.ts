/** A running node: starts and stops context, HTTP and workers in the right order. */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenForCommands } from './commands/command-socket.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import { atomically } from './database/atomically.ts'
import { isDatabaseOutage } from './database/outage.ts'
import { seedDevAccounts } from './features/accounts/dev-accounts.ts'
import { operationRoutes } from './features/operations/operations.ts'
import { builtLanguages } from './features/site/languages.ts'
import { createApp } from './http/app.ts'
import { prepareDrain } from './http/draining.ts'
import type { Route } from './http/route.ts'
import { answerWhileStarting } from './http/starting.ts'
import type { OpenContext, Replacements } from './open-context.ts'
import { openContext } from './open-context.ts'
import { demoScope, inAccountScope } from './platform/concurrency/account-scope.ts'
import { createLog } from './platform/log.ts'
import { reasonOf, StartError } from './platform/start-error.ts'
import { callers, jobs, mountsOf, routes } from './wiring.ts'

export type RunningNode = {
  readonly ctx: Context
  readonly url: string
  /** Accepts no new work, finishes running work, returns jobs to the queue, and closes. */
  readonly stop: () => Promise<void>
}

export type NodeOptions = {
  webFolder: string | null
  worksOnJobs: boolean
  /** False for a node that serves only /healthz, /readyz and /metrics. */
  servesRequests?: boolean
  /** With the demo feed: creates the first sessions of a new site. */
  givesDemoSessions?: boolean
  /** With the demo feed: publishes sessions in the community of a new site. */
  publishesDemoSessions?: boolean
  /** With the demo feed: paints the first pictures in advance. */
  paintsDemo?: boolean
  /** How long a stop waits for the next request on idle connections. Default: 0. */
  idleGraceMs?: number
  /** How long jobs wait after the node listens. Default: 0. */
  jobsAfterMs?: number
  /** Executes `npm run admin`, which cannot open the embedded database while the node runs. */
  takesCommands?: boolean
  replacements?: Replacements
  extraRoutes?: readonly Route[]
}

type App = Awaited<ReturnType<typeof createApp>>

/** The time from the signal to the end of the process. The last seconds are for closing. */
export const stopDeadlineMs = 25_000
const drainMs = stopDeadlineMs - 3_000
const longestWaitForDatabaseMs = 30_000

export async function startNode(config: Config, options: NodeOptions): Promise<RunningNode> {
  const endStarting = answerWhileStarting(config)
  const { ctx, beginStop, close } = await openWhenReachable(config, options).catch(
    async (error: unknown) => {
      await endStarting()
      throw error
    },
  )
  try {
    for (const warning of config.warnings) ctx.log.warn({ event: 'setting' }, warning)
    const { idleGraceMs = 0, jobsAfterMs = 0, servesRequests = true, extraRoutes = [] } = options
    const app = await createApp(ctx, {
      routes: servesRequests ? [...routes, ...extraRoutes] : operationRoutes,
      mounts: servesRequests ? mountsOf(ctx, options.webFolder) : [],
      callers,
    })
    const closeHttp = prepareDrain(app, { drainMs, idleGraceMs })
    await endStarting()
    await listen(app, config)
    if (options.takesCommands) await listenForCommands(ctx, config.dataDir)
    const beginJobs = async () => {
      if (options.worksOnJobs && !ctx.stopping.aborted) await ctx.queue.work(ctx)
      if (options.paintsDemo) void ctx.demo?.paintFirst({ signal: ctx.stopping })
    }
    let begun = Promise.resolve()
    if (jobsAfterMs > 0) begun = beginLater(ctx, beginJobs, jobsAfterMs)
    else await beginJobs()
    const { port } = app.server.address() as AddressInfo
    const stop = async () => {
      beginStop()
      await begun
      await Promise.all([closeHttp(), ctx.queue.stop(drainMs)])
      await close()
    }
    return { ctx, url: `http://${urlHost(config.host)}:${port}`, stop }
  } catch (error) {
    await endStarting()
    await close()
    throw error
  }
}

/** Resolves when `begin` has run, or the node stops before that. */
async function beginLater(
  { log, stopping }: Context,
  begin: () => Promise<void>,
  afterMs: number,
): Promise<void> {
  try {
    await sleep(afterMs, undefined, { signal: stopping, ref: false })
    await begin()
  } catch (error) {
    if (!stopping.aborted)
      log.error(
        { event: 'jobs_not_begun', err: error },
        'failed to start background jobs, none will run',
      )
  }
}

/**
 * Retries for a while if the database restarts or its connection breaks during the start. Every step of a
 * start may run twice. A refusal (a wrong password or name) is not retried.
 */
async function openWhenReachable(config: Config, options: NodeOptions): Promise<OpenContext> {
  const { replacements = {} } = options
  const log = replacements.log ?? createLog(config.logLevel)
  const deadlineMs = performance.now() + longestWaitForDatabaseMs
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 4000)) {
    try {
      return await openAndSeed(config, options, { ...replacements, log })
    } catch (error) {
      if (!isDatabaseOutage(error)) throw error
      const isLast = performance.now() + pauseMs > deadlineMs
      if (replacements.database || isLast) throw new StartError(reasonOf(error))
      log.warn(
        { event: 'start_waits', reason: reasonOf(error), pauseMs },
        'the database is not available yet, trying again',
      )
      await sleep(pauseMs)
    }
  }
}

async function openAndSeed(
  config: Config,
  options: NodeOptions,
  replacements: Replacements,
): Promise<OpenContext> {
  const languages = await builtLanguages(options.webFolder)
  const open = await openContext(config, jobs, replacements, languages)
  try {
    await inAccountScope(demoScope, () => seed(open.ctx, options))
    if (options.worksOnJobs) await open.ctx.queue.schedule()
    return open
  } catch (error) {
    await open.close()
    throw error
  }
}

/** Creates the initial data of a site in one transaction, so that a killed start leaves no partial data. */
async function seed(ctx: Context, options: NodeOptions): Promise<void> {
  await atomically(ctx, async (ctx) => {
    const fresh = await seedDevAccounts(ctx)
    const [first, second] = ctx.config.devAccounts
    if (!ctx.demo) return
    if (options.givesDemoSessions && first && fresh.includes(first.id))
      await ctx.demo.giveSessions(ctx, first.id)
    if (options.publishesDemoSessions && second && fresh.includes(second.id))
      await ctx.demo.publishSessions(ctx, second.id)
  })
}

async function listen(app: App, config: Config): Promise<void> {
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    const address = `${urlHost(config.host)}:${config.port}`
    throw error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      ? new StartError(`PORT: ${address} is in use by another process`)
      : new StartError(`HOST, PORT: cannot listen on ${address}: ${reasonOf(error)}`)
  }
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
