/**
 * Watches all statements of this process: whether PostgreSQL answers at all, and which sessions wait for
 * an answer that will not arrive.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { OutageWatch } from '../platform/outage-watch.ts'
import { createOutageWatch } from '../platform/outage-watch.ts'
import { DatabaseUnreachable, isAnswer } from './outage.ts'
import type { Sessions } from './pool.ts'
import { connectionOptions, sessionIdOf } from './pool.ts'

// An open connection answers quickly, even on a machine that is too busy to open a new one.
const secondTryMs = 300
const askTimeoutMs = 5000
// A request runs a handful of statements and has three seconds for all of them.
const slowestProofMs = 1000

export function watchSessions(
  sessions: Sessions,
  change: { onLost(): void; onAway(): void; onBack(): void },
): OutageWatch<number> {
  let atHand = connect(sessions)
  const leave = (left: Promise<Client>) => void left.then((client) => client.end(), noClient)
  // A failure is handled where the connection is used.
  atHand.catch(noClient)
  return createOutageWatch<number>({
    ...change,
    slowestProofMs,
    onClose: () => leave(atHand),
    isAnswer,
    asksAfterFailure: true,
    refusal: (reason) => new DatabaseUnreachable(`PostgreSQL ${reason}`),
    async probe(overdue) {
      const kept = atHand
      const first = kept.then((client) => findLostSessions(client, overdue))
      const settled = first.then(
        () => true,
        () => false,
      )
      if (await Promise.race([settled, sleep(secondTryMs, false)])) return first
      // The open connection is slow, silent or broken: replace it.
      void settled.then(() => leave(kept))
      const made = connect(sessions)
      made.catch(noClient)
      atHand = made
      const second = made.then((client) => findLostSessions(client, overdue))
      return Promise.any([first, second]).catch(async (error: unknown) => {
        // A refusal also proves that the server answers.
        if (error instanceof AggregateError && error.errors.some(isAnswer)) return []
        throw error
      })
    },
  })
}

async function connect(sessions: Sessions): Promise<Client> {
  const client = new Client({ ...connectionOptions(sessions), query_timeout: askTimeoutMs })
  client.on('error', noClient)
  await client.connect()
  return client
}

/** Finds sessions that PostgreSQL is not working for: it did not get the query, or we did not get the answer. */
async function findLostSessions(
  client: Client,
  overdue: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await client.query<{ pid: number; state: string | null }>(
    'select pid, state from pg_stat_activity where pid = any($1::int[])',
    [[...overdue, sessionIdOf(client)]],
  )
  const states = new Map(rows.map(({ pid, state }) => [pid, state]))
  // Behind a pooler the session numbers differ; then only the time limit applies.
  if (!states.has(sessionIdOf(client))) return []
  return overdue.filter((id) => !states.has(id) || states.get(id)?.startsWith('idle'))
}

function noClient(): void {}
