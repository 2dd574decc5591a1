/**
 * The manners that all nodes keep towards a host together: so many questions a minute, so many at a
 * time, and none before the moment that the host itself has named.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { Semaphore } from '../../../platform/concurrency/semaphore.ts'
import { FetchRefused } from '../../../platform/fetch/user-url.ts'
import { FeedUnavailable } from '../feed-source.ts'
import { restHost, restOf } from './resting-hosts.ts'

export type HostTurns = {
  /** Asks one question when it is its turn. Rejects with `FeedUnavailable` where the host rests or the wait is long, and as the question does. */
  within<T>(url: string, ask: () => Promise<T>): Promise<T>
  /** No node asks the host for so long. */
  rest(url: string, waitMs: number): Promise<void>
}

export const mostAMinute = 60
export const mostAtATime = 2
const longestRestMs = 3_600_000
/** A node that dies leaves its turns behind; no question takes longer than this. */
const heldMs = 15_000
const pauseMs = 100
/** Longer than a question may take: who waits behind one that is not answered learns that it was not. */
const usualWaitMs = 11_000

/** Where those of this node wait for each other, so that few of them ask the database. */
type Gate = {
  readonly places: Semaphore
  /** The last question that the host left without an answer. */
  unanswered: { readonly atMs: number; readonly error: FetchRefused } | null
}

export function createHostTurns(
  ctx: Pick<Context, 'db' | 'now' | 'newId'>,
  { mostWaitMs = usualWaitMs }: { mostWaitMs?: number } = {},
): HostTurns {
  const gates = new Map<string, Gate>()

  const inOrder = async <T>(host: string, work: (endsMs: number) => Promise<T>): Promise<T> => {
    const gate = gates.get(host) ?? {
      places: new Semaphore({ atOnce: mostAtATime }),
      unanswered: null,
    }
    gates.set(host, gate)
    const beganMs = performance.now()
    const release = await gate.places
      .acquire({ signal: AbortSignal.timeout(mostWaitMs) })
      .catch(() => {
        throw askedEnough(host)
      })
    try {
      // Who waited while the host kept silent need not wait once more to learn the same.
      if (gate.unanswered && gate.unanswered.atMs > beganMs) throw gate.unanswered.error
      return await work(beganMs + mostWaitMs).catch((error: unknown) => {
        if (error instanceof FetchRefused && error.reason === 'timeout')
          gate.unanswered = { atMs: performance.now(), error }
        throw error
      })
    } finally {
      release()
      if (gate.places.isIdle) gates.delete(host)
    }
  }

  const take = async (host: string, endsMs: number): Promise<string> => {
    for (;;) {
      const restsUntil = await restOf(ctx, host)
      if (restsUntil)
        throw new FeedUnavailable('rate_limited', `${host} asked to be left alone`, {
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
  return new FeedUnavailable('rate_limited', `${host} has been asked enough for a minute`, {
    words: 'has been asked often enough for now, try again in a minute',
  })
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}

/**
 * One row for each host, judged and written in one statement: whoever comes second waits for the row
 * and judges what the first has left. Null where it is not its turn.
 */
async function takeTurn(
  ctx: Pick<Context, 'db' | 'now' | 'newId'>,
  host: string,
): Promise<string | null> {
  const now = ctx.now()
  const minuteAgo = new Date(now.getTime() - 60_000)
  // Sorts by the moment when it ends by itself.
  const turn = `${new Date(now.getTime() + heldMs).toISOString()} ${ctx.newId()}`
  const recent = sql`array(select t from unnest(host_turns.asked_at) t where t > ${minuteAgo}::timestamptz)`
  const held = sql`array(select h from unnest(host_turns.held) h where h > ${now.toISOString()}::text)`
  const { rows } = await sql<{ host: string }>`
    insert into host_turns (host, asked_at, held)
    values (${host}, array[${now}::timestamptz], array[${turn}::text])
    on conflict (host) do update set
      asked_at = ${recent} || ${now}::timestamptz, held = ${held} || ${turn}::text
    where cardinality(${recent}) < ${mostAMinute}::int and cardinality(${held}) < ${mostAtATime}::int
    returning host`.execute(ctx.db)
  return rows.length > 0 ? turn : null
}

async function endTurn(ctx: Pick<Context, 'db'>, host: string, turn: string): Promise<void> {
  await sql`update host_turns set held = array_remove(held, ${turn}::text)
    where host = ${host}`.execute(ctx.db)
}
