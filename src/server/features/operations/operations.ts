/** Operational endpoints of a node: liveness, readiness, metrics and API documentation. */
import { sql } from 'kysely'
import { api } from '../../../contract/api.ts'
import { version } from '../../config/version.ts'
import type { Context } from '../../context.ts'
import { renderDocs } from '../../http/docs/docs-page.ts'
import { describeApi } from '../../http/docs/openapi.ts'
import { problem } from '../../http/problem.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import { countWaiting } from '../../jobs/waiting-queries.ts'
import { isSameText } from '../../platform/signature.ts'
import { countRestingHosts, findSourceHealth } from '../feeds/feeds.ts'

const checkTimeoutMs = 2500
const looksLastMs = 1000

export async function alive() {
  return { status: 'ok' as const }
}

export async function ready(ctx: Context) {
  const parts = await readParts(ctx)
  const failing = Object.entries(parts).flatMap(([part, state]) => (state === 'ok' ? [] : [part]))
  if (failing.length > 0) throw problem.notReady({ failing, parts })
  const adapters = { feed: ctx.sources.first.name, captions: ctx.captions.name }
  return { status: 'ready' as const, parts, adapters }
}

type Parts = Awaited<ReturnType<typeof checkParts>>

/**
 * The last check of each node in this process. Anyone may request it, so repeated requests share one
 * check.
 */
const lastLooks = new WeakMap<
  object,
  { readonly parts: Promise<Parts>; readonly untilMs: number }
>()

function readParts(ctx: Context): Promise<Parts> {
  const last = lastLooks.get(ctx.queue)
  if (last && performance.now() < last.untilMs) return last.parts
  const parts = checkParts(ctx)
  // All requests wait for the running check. It has its own timeout.
  lastLooks.set(ctx.queue, { parts, untilMs: Infinity })
  void parts.then(() =>
    lastLooks.set(ctx.queue, { parts, untilMs: performance.now() + looksLastMs }),
  )
  return parts
}

async function checkParts(ctx: Context) {
  const checks = {
    database: async () => void (await sql`select 1`.execute(ctx.db)),
    storage: () => ctx.storage.check(),
    queue: () => ctx.queue.check(),
  }
  const [database, storage, queue] = await Promise.all([
    stateOf(ctx, 'database', checks.database),
    stateOf(ctx, 'storage', checks.storage),
    stateOf(ctx, 'queue', checks.queue),
  ])
  return { database, storage, queue }
}

export async function readMetrics(ctx: Context, { visitor }: Call<typeof api.operations.metrics>) {
  if (!visitor.isLoopback && !hasToken(ctx, visitor.authorization)) throw problem.unauthorized()
  // Leave out values that cannot be read: the other metrics matter most when the database is down.
  ctx.metrics.jobsWaiting(await countWaiting(ctx.db).catch(() => []))
  ctx.metrics.sourcesSeen(await lookAtSources(ctx).catch(() => null))
  return ctx.metrics.read()
}

async function lookAtSources(ctx: Context) {
  const [sources, restingHosts] = [await findSourceHealth(ctx), await countRestingHosts(ctx)]
  const ages = sources.flatMap(({ id: source, succeededAt }) => {
    if (succeededAt === null) return []
    return { source, seconds: Math.max(0, (ctx.now().getTime() - succeededAt.getTime()) / 1000) }
  })
  return { ages, restingHosts }
}

export async function readOpenApi(ctx: Context) {
  return new JsonText(describedFor(ctx.config.baseUrl).json)
}

export async function readDocs(ctx: Context) {
  return describedFor(ctx.config.baseUrl).page
}

const described = new Map<string, { json: string; page: string }>()

/** Builds the documents once: anyone may request them, and building them takes a while. */
function describedFor(baseUrl: string) {
  let made = described.get(baseUrl)
  if (!made) {
    const document = describeApi(version, baseUrl)
    made = { json: JSON.stringify(document), page: renderDocs(document) }
    described.set(baseUrl, made)
  }
  return made
}

async function stateOf(ctx: Context, part: string, check: () => Promise<void>) {
  const late = AbortSignal.timeout(checkTimeoutMs)
  try {
    await Promise.race([
      check(),
      new Promise((_, reject) => late.addEventListener('abort', () => reject(late.reason))),
    ])
    return 'ok' as const
  } catch (error) {
    ctx.log.warn({ event: 'not_ready', err: error, part }, 'not ready')
    return 'failing' as const
  }
}

function hasToken(ctx: Context, authorization: string | null): boolean {
  if (!ctx.config.metricsToken) return false
  return isSameText(authorization ?? '', `Bearer ${ctx.config.metricsToken}`)
}

export const operationRoutes = [
  route(api.operations.alive, alive),
  route(api.operations.ready, ready),
  route(api.operations.metrics, readMetrics),
  route(api.operations.openapi, readOpenApi),
  route(api.operations.docs, readDocs),
]
