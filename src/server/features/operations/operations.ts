/** What a node tells about itself: alive, ready, its figures, its interface. */
import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { renderDocs } from '../../http/docs-page.ts'
import { describeApi } from '../../http/openapi.ts'
import type { Call } from '../../http/route.ts'
import { problem } from '../../problem.ts'
import { version } from '../../version.ts'

const checkTimeoutMs = 3000

export async function alive() {
  return { status: 'ok' as const }
}

export async function ready(ctx: Context) {
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
  const parts = { database, storage, queue }
  const failing = Object.entries(parts).flatMap(([part, state]) => (state === 'ok' ? [] : [part]))
  if (failing.length > 0) throw problem.notReady({ failing, parts })
  return { status: 'ready' as const, parts }
}

export async function readMetrics(ctx: Context, { visitor }: Call<typeof api.operations.metrics>) {
  if (!visitor.isLoopback && !hasToken(ctx, visitor.authorization)) throw problem.unauthorized()
  return ctx.metrics.read()
}

export async function readOpenApi(ctx: Context) {
  return describeApi(version, ctx.config.baseUrl)
}

export async function readDocs(ctx: Context) {
  return renderDocs(describeApi(version, ctx.config.baseUrl))
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
    ctx.log.warn({ err: error, part }, 'not ready')
    return 'failing' as const
  }
}

function hasToken(ctx: Context, authorization: string | null): boolean {
  if (!ctx.config.metricsToken) return false
  const expected = Buffer.from(`Bearer ${ctx.config.metricsToken}`)
  const given = Buffer.from(authorization ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
