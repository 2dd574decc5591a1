/** A running node: context, HTTP and workers, put together and taken apart in the right order. */
import type { AddressInfo } from 'node:net'
import { atomically } from './atomically.ts'
import type { Config } from './config.ts'
import type { Context, Replacements } from './context.ts'
import { openContext } from './context.ts'
import { seedDevAccounts } from './features/accounts/dev-accounts.ts'
import { giveDemoSessions, publishDemoSessions } from './features/sessions/demo-sessions.ts'
import { createApp } from './http/app.ts'
import { prepareDrain } from './http/draining.ts'
import type { Route } from './http/route.ts'
import { demoScope, inAccountScope } from './platform/account-scope.ts'
import { reasonOf, StartError } from './platform/start-error.ts'
import { jobs, routes } from './wiring.ts'

export type RunningNode = {
  readonly ctx: Context
  readonly url: string
  /** Takes no more, finishes what runs, hands back jobs, closes. */
  readonly stop: () => Promise<void>
}

type App = Awaited<ReturnType<typeof createApp>>

const drainMs = 25_000

export async function startNode(
  config: Config,
  options: {
    webFolder: string | null
    worksOnJobs: boolean
    /** With the demo feed: gives a new site its first sessions. */
    givesDemoSessions?: boolean
    /** With the demo feed: gives a new site's community something to browse. */
    publishesDemoSessions?: boolean
    /** With the demo feed: paints all of its pictures beforehand. */
    paintsDemo?: boolean
    replacements?: Replacements
    extraRoutes?: readonly Route[]
  },
): Promise<RunningNode> {
  const { ctx, beginStop, close } = await openContext(config, jobs, options.replacements)
  try {
    await inAccountScope(demoScope, () => seed(ctx, options))
    const app = await createApp(ctx, [...routes, ...(options.extraRoutes ?? [])], options.webFolder)
    const closeHttp = prepareDrain(app, drainMs)
    await listen(app, config)
    if (options.worksOnJobs) await ctx.queue.work(ctx)
    if (options.paintsDemo) void ctx.demo?.paintAll({ signal: ctx.stopping })
    const { port } = app.server.address() as AddressInfo
    const stop = async () => {
      beginStop()
      await Promise.all([closeHttp(), ctx.queue.stop(drainMs)])
      await close()
    }
    return { ctx, url: `http://${urlHost(config.host)}:${port}`, stop }
  } catch (error) {
    await close()
    throw error
  }
}

/** What a site begins with. Together, so that a start that was killed leaves no half of it. */
async function seed(
  ctx: Context,
  options: { givesDemoSessions?: boolean; publishesDemoSessions?: boolean },
): Promise<void> {
  await atomically(ctx, async (ctx) => {
    const fresh = await seedDevAccounts(ctx)
    const [first, second] = ctx.config.devAccounts
    if (!ctx.demo) return
    if (options.givesDemoSessions && first && fresh.includes(first.id))
      await giveDemoSessions(ctx, first.id)
    if (options.publishesDemoSessions && second && fresh.includes(second.id))
      await publishDemoSessions(ctx, second.id)
  })
}

async function listen(app: App, config: Config): Promise<void> {
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    const place = `${urlHost(config.host)}:${config.port}`
    throw error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      ? new StartError(`PORT: ${place} is taken by another process`)
      : new StartError(`HOST, PORT: ${place} cannot be listened on: ${reasonOf(error)}`)
  }
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
