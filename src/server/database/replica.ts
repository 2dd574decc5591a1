/**
 * A streaming replica (DATABASE_REPLICA_URL), for reads that may be slightly stale. The lag is measured
 * with this node's own clock: it records the primary's WAL position and the time just before it asked.
 * Once the replica has replayed that position, it has everything that was committed by that time.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OutageLog } from '../platform/outage-log.ts'
import type { DatabaseHandle } from './database.ts'
import { statementsOn } from './named-statements.ts'
import { createConnectionPool } from './pool.ts'
import { watchSessions } from './watch.ts'

export type Replica = Pick<DatabaseHandle, 'db' | 'query' | 'close'> & {
  /** True when it has everything that was committed up to `maxLagMs` ago. */
  isFresh(): boolean
}

type Options = {
  readonly log: OutageLog
  readonly isPooled: boolean
  readonly maxLagMs?: number
}

type Note = { readonly position: bigint; readonly atMs: number }

// The longest time for which the replica may still show something that was hidden or withdrawn.
const usualMaxLagMs = 1000
const lookEveryMs = 200
const poolSize = 12
// After these limits the primary is queried instead, which leaves the caller enough time.
const statementLimitMs = 1000
const checkOutLimitMs = 500

/** Does not wait for a connection: probes find out whether the replica is there or has come back. */
export function openReplica(
  url: string,
  primary: Pick<DatabaseHandle, 'query'>,
  { log, isPooled, maxLagMs = usualMaxLagMs }: Options,
): Replica {
  const mark = randomBytes(4).toString('hex')
  const watch = watchSessions(
    { url, name: `lanternist-replica-watch-${mark}` },
    {
      onLost: () => pool.renew({ abandon: false }),
      onAway: () => pool.renew({ abandon: true }),
      onBack: () => void pool.endAbandoned(),
    },
  )
  const pool = createConnectionPool({ url, name: `lanternist-replica-${mark}` }, watch, {
    size: poolSize,
    statementLimitMs,
    checkOutLimitMs,
    log,
  })
  const statements = statementsOn(pool, { isPooled })
  const closing = new AbortController()
  let notes: Note[] = []
  let knownUntilMs = -Infinity
  let wasFresh: boolean | null = null
  const isFresh = () => !watch.isAway && performance.now() - knownUntilMs <= maxLagMs

  async function look(): Promise<void> {
    const atMs = performance.now()
    const server = await readLogPosition(primary)
    notes = notes.filter((note) => atMs - note.atMs <= maxLagMs)
    if (server.written !== null) notes.push({ position: positionOf(server.written), atMs })
    const replica = await readLogPosition(statements)
    // Positions of another cluster cannot be compared.
    if (replica.replayed === null || replica.system !== server.system) return
    const replayed = positionOf(replica.replayed)
    knownUntilMs = notes.findLast(({ position }) => position <= replayed)?.atMs ?? knownUntilMs
  }

  const looking = (async () => {
    while (!closing.signal.aborted) {
      const failure = await look().then(
        () => null,
        (error: unknown) => error,
      )
      if (isFresh() !== wasFresh) {
        wasFresh = isFresh()
        if (wasFresh) log.info({ event: 'replica_used' }, 'public reads go to the replica')
        else
          log.warn(
            { event: 'replica_not_used', ...(failure !== null && { err: failure }) },
            'the replica is unreachable or behind: public reads go to the primary',
          )
      }
      await sleep(lookEveryMs, undefined, { ref: false, signal: closing.signal }).catch(() => {})
    }
  })()

  return {
    ...statements,
    isFresh,
    async close() {
      closing.abort()
      watch.close()
      await looking
      await pool.end()
    },
  }
}

type LogPosition = {
  /** The write position; null on a replica. */
  readonly written: string | null
  /** The replay position; null on a primary. */
  readonly replayed: string | null
  readonly system: string
}

async function readLogPosition({ query }: Pick<DatabaseHandle, 'query'>): Promise<LogPosition> {
  const [position] = await query<LogPosition>(logPositionStatement, [])
  if (!position) throw new Error('PostgreSQL did not report its position')
  return position
}

const logPositionStatement = `
  select case when not pg_is_in_recovery() then pg_current_wal_lsn()::text end as written,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as replayed,
    (select system_identifier::text from pg_control_system()) as system`

/** A position in the write-ahead log, which PostgreSQL writes as two hexadecimal halves. */
export function positionOf(written: string): bigint {
  const [high = '', low = ''] = written.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
