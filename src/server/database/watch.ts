/**
 * Watches over all statements of this process: whether PostgreSQL answers at all, and which sessions
 * wait for an answer that will not come.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { OutageWatch } from '../platform/outage-watch.ts'
import { createOutageWatch } from '../platform/outage-watch.ts'
import { DatabaseUnreachable, isAnswer } from './outage.ts'
import type { Sessions } from './pool.ts'
import { connectionOptions, sessionIdOf } from './pool.ts'

// A connection at hand answers at once, even on a machine that has hardly time to make a new one.
const secondTryMs = 300
const askTimeoutMs = 5000
// A request asks a handful of statements, and has three seconds for all of them.
const slowestProofMs = 1000

export function watchSessions(
  sessions: Sessions,
  change: { onLost(): void; onAway(): void; onBack(): void },
): OutageWatch<number> {
  let atHand = connect(sessions)
  const leave = (left: Promise<Client>) => void left.then((client) => client.end(), noClient)
  // Whether it came about is asked when it is needed.
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
      // The one at hand is slow, silent or broken: it gives way to a new one.
      void settled.then(() => leave(kept))
      const made = connect(sessions)
      made.catch(noClient)
      atHand = made
      const second = made.then((client) => findLostSessions(client, overdue))
      return Promise.any([first, second]).catch(async (error: unknown) => {
        // A refusal is an answer too.
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

/** Those that PostgreSQL is not working for: either it never heard the question, or we the answer. */
async function findLostSessions(
  client: Client,
  overdue: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await client.query<{ pid: number; state: string | null }>(
    'select pid, state from pg_stat_activity where pid = any($1::int[])',
    [[...overdue, sessionIdOf(client)]],
  )
  const states = new Map(rows.map(({ pid, state }) => [pid, state]))
  // A pooler in between has numbers of its own; then only the time limit tells.
  if (!states.has(sessionIdOf(client))) return []
  return overdue.filter((id) => !states.has(id) || states.get(id)?.startsWith('idle'))
}

function noClient(): void {}
