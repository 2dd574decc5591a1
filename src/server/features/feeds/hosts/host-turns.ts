/**
 * Limits requests to a remote server across all nodes: so many a minute, so many at a time, and none
 * before the time that the server has named.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { Semaphore } from '../../../platform/concurrency/semaphore.ts'
import { FetchRefused } from '../../../platform/fetch/user-url.ts'
import { FeedUnavailable } from '../feed-source.ts'
import { restHost, restOf } from './resting-hosts.ts'

export type HostTurns = {
  /**
   * Runs a request when it is its turn. Rejects with `FeedUnavailable` while the server rests or when the
   * wait is too long, and with the request's own error.
   */
  within<T>(url: string, ask: () => Promise<T>): Promise<T>
  /** Stops requests of all nodes to the server for this time. */
  rest(url: string, waitMs: number): Promise<void>
}

export const maxPerMinute = 60
export const maxAtATime = 2
const longestRestMs = 3_600_000
/** A crashed node leaves its turns behind, so they expire. No request takes longer than this. */
const heldMs = 15_000
const pauseMs = 100
/**
 * The longest wait for a turn. It is longer than a request may take, so that waiting requests learn that
 * the one before them timed out.
 */
const usualWaitMs = 11_000

/** A queue within this node, so that few of its requests poll the database. */
type Gate = {
  readonly turns: Semaphore
  /** The last request that the server did not answer. */
  unanswered: { readonly atMs: number; readonly error: FetchRefused } | null
}

export function createHostTurns(
  ctx: Pick<Context, 'db' | 'now' | 'newId'>,
  { maxWaitMs = usualWaitMs }: { maxWaitMs?: number } = {},
): HostTurns {
  const gates = new Map<string, Gate>()

  const inOrder = async <T>(host: string, work: (endsMs: number) => Promise<T>): Promise<T> => {
    const gate = gates.get(host) ?? {
      turns: new Semaphore({ atOnce: maxAtATime }),
      unanswered: null,
    }
    gates.set(host, gate)
    const beganMs = performance.now()
    const release = await gate.turns
      .acquire({ signal: AbortSignal.timeout(maxWaitMs) })
      .catch(() => {
        throw askedEnough(host)
      })
    try {
      // A request that waited while the server did not answer fails with the same error, without another
      // wait.
      if (gate.unanswered && gate.unanswered.atMs > beganMs) throw gate.unanswered.error
      return await work(beganMs + maxWaitMs).catch((error: unknown) => {
        if (error instanceof FetchRefused && error.reason === 'timeout')
          gate.unanswered = { atMs: performance.now(), error }
        throw error
      })
    } finally {
      release()
      if (gate.turns.isIdle) gates.delete(host)
    }
  }

  const take = async (host: string, endsMs: number): Promise<string> => {
    for (;;) {
      const restsUntil = await restOf(ctx, host)
      if (restsUntil)
        throw new FeedUnavailable('rate_limited', `${host} asked for a pause`, {
          retryAt: restsUntil,
        })
      const turn = await takeTurn(ctx, host)
      if (turn !== null) return turn
      if (performance.now() >= endsMs) throw askedEnough(host)
      await sleep(pauseMs)
    }
  }

  return {
    within: (url, ask) => {
      const host = hostOf(url)
      return inOrder(host, async (endsMs) => {
        const turn = await take(host, endsMs)
        try {
          return await ask()
        } finally {
          await endTurn(ctx, host, turn)
        }
      })
    },
    rest: (url, waitMs) =>
      restHost(ctx, hostOf(url), new Date(ctx.now().getTime() + Math.min(waitMs, longestRestMs))),
  }
}

function askedEnough(host: string): FeedUnavailable {
  return new FeedUnavailable('rate_limited', `${host} has had its requests for this minute`, {
    words: 'has had enough requests for now, try again in a minute',
  })
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}

/**
 * Takes a turn, or returns null. One statement checks and updates the server's row, so a concurrent
 * caller waits for the row and checks its new state.
 */
async function takeTurn(
  ctx: Pick<Context, 'db' | 'now' | 'newId'>,
  host: string,
): Promise<string | null> {
  const now = ctx.now()
  const minuteAgo = new Date(now.getTime() - 60_000)
  // Starts with the expiry time, so that text comparison finds expired turns.
  const turn = `${new Date(now.getTime() + heldMs).toISOString()} ${ctx.newId()}`
  const recent = sql`array(select t from unnest(host_turns.asked_at) t where t > ${minuteAgo}::timestamptz)`
  const held = sql`array(select h from unnest(host_turns.held) h where h > ${now.toISOString()}::text)`
  const { rows } = await sql<{ host: string }>`
    insert into host_turns (host, asked_at, held)
    values (${host}, array[${now}::timestamptz], array[${turn}::text])
    on conflict (host) do update set
      asked_at = ${recent} || ${now}::timestamptz, held = ${held} || ${turn}::text
    where cardinality(${recent}) < ${maxPerMinute}::int and cardinality(${held}) < ${maxAtATime}::int
    returning host`.execute(ctx.db)
  return rows.length > 0 ? turn : null
}

async function endTurn(ctx: Pick<Context, 'db'>, host: string, turn: string): Promise<void> {
  await sql`update host_turns set held = array_remove(held, ${turn}::text)
    where host = ${host}`.execute(ctx.db)
}
