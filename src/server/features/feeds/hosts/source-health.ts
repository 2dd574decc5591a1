/**
 * Records and shows the health of sources: the last results on all nodes, and servers that are in use or
 * resting.
 */
import { sql } from 'kysely'
import { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import { route } from '../../../http/route.ts'
import { isOutage } from '../../../platform/outage.ts'
import type { FeedSource } from '../feed-source.ts'
import { FeedUnavailable } from '../feed-source.ts'
import { SubfeedRefused } from '../subfeed-names.ts'
import { maxPerMinute } from './host-turns.ts'

const noticedMs = 60_000
const maxOfOneMs = 60_000
const maxHosts = 100

/** Reasons that say nothing about the source itself: an unknown name, or a key of one account. */
const ofTheName: ReadonlySet<FeedUnavailable['reason']> = new Set([
  'no_such_subfeed',
  'nothing_found',
  'not_offered',
  'refused',
])

type Noting = Pick<Context, 'db' | 'now' | 'log'>
/** Runs a request to a source with a time limit, and records its result. */
export type Watch = <T>(ask: () => Promise<T>) => Promise<T>

/** Wraps requests that really reach the source. Cached answers say nothing about its health. */
export function watchSource(ctx: Noting, id: FeedSource['name']): Watch {
  return async (ask) => {
    try {
      const answer = await withinTime(ask())
      await noteSource(ctx, id, null)
      return answer
    } catch (error) {
      if (!isOutage(error)) await noteSource(ctx, id, failureOfSource(error))
      throw error
    }
  }
}

export function watchedSource(ctx: Noting, source: FeedSource): FeedSource {
  const watch = watchSource(ctx, source.name)
  return { ...source, list: (request) => watch(() => source.list(request)) }
}

/** Limits the total time for one name. Readers limit each request only. */
function withinTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new FeedUnavailable('unreachable', 'too slow', { words: 'takes too long' })),
    maxOfOneMs,
  )
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

export function failureOfSource(error: unknown): FeedUnavailable {
  if (error instanceof FeedUnavailable) return error
  if (error instanceof SubfeedRefused)
    return new FeedUnavailable('not_offered', error.message, { words: error.message })
  return new FeedUnavailable('unreadable', 'the source could not be read', { cause: error })
}

/** Records a result. A failure to do so does not fail the request. */
async function noteSource(
  ctx: Noting,
  source: FeedSource['name'],
  failure: FeedUnavailable | null,
): Promise<void> {
  if (failure && ofTheName.has(failure.reason)) return
  const [now, words] = [ctx.now(), failure?.words ?? null]
  const noticed = new Date(now.getTime() - noticedMs)
  try {
    await (
      words === null
        ? sql`insert into source_health (source, succeeded_at) values (${source}, ${now})
          on conflict (source) do update set succeeded_at = excluded.succeeded_at
          where source_health.succeeded_at is null
            or source_health.succeeded_at <= ${noticed}::timestamptz`
        : sql`insert into source_health (source, failed_at, failure)
          values (${source}, ${now}, ${words})
          on conflict (source) do update
          set failed_at = excluded.failed_at, failure = excluded.failure`
    ).execute(ctx.db)
  } catch (error) {
    ctx.log.warn({ event: 'source_not_noted', err: error }, 'failed to record source health')
  }
}

/** Returns all sources that the site offers, including those without requests so far. */
export async function findSourceHealth(ctx: Context) {
  const rows = await ctx.db
    .selectFrom('source_health')
    .select(['source', 'succeeded_at', 'failed_at', 'failure'])
    .execute()
  const known = new Map(rows.map((row) => [row.source, row]))
  return ctx.sources.offered.flatMap(({ name: id }) => {
    if (id === 'off') return []
    const row = known.get(id)
    return {
      id,
      succeededAt: row?.succeeded_at ?? null,
      failedAt: row?.failed_at ?? null,
      failure: row?.failure ?? null,
    }
  })
}

export async function countRestingHosts(ctx: Context): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('resting_hosts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('until', '>', ctx.now())
    .executeTakeFirstOrThrow()
  return count
}

type HostRow = { host: string; asked: number; restsUntil: Date | null }

async function findBusyHosts(ctx: Context): Promise<HostRow[]> {
  const now = ctx.now()
  const minuteAgo = new Date(now.getTime() - 60_000)
  const { rows } = await sql<HostRow>`
    select host, coalesce(asked, 0) as asked, "restsUntil" from (
      select host, (select count(*)::int from unnest(asked_at) t where t > ${minuteAgo}::timestamptz) as asked
      from host_turns
    ) turns full join (
      select host, until as "restsUntil" from resting_hosts where until > ${now}
    ) rests using (host)
    where coalesce(asked, 0) > 0 or "restsUntil" is not null
    order by "restsUntil" desc nulls last, asked desc, host limit ${maxHosts}::int`.execute(ctx.db)
  return rows
}

async function readSources(ctx: Context) {
  const [sources, hosts] = [await findSourceHealth(ctx), await findBusyHosts(ctx)]
  return {
    sources: sources.map(({ id, succeededAt, failedAt, failure }) => ({
      id,
      lastSuccessAt: succeededAt?.toISOString() ?? null,
      lastFailureAt: failedAt?.toISOString() ?? null,
      lastFailure: failure,
    })),
    hosts: hosts.map(({ host, asked, restsUntil }) => ({
      host,
      asked,
      most: maxPerMinute,
      restsUntil: restsUntil?.toISOString() ?? null,
    })),
  }
}

export const sourceHealthRoutes = [route(api.adminSources.read, readSources)]
