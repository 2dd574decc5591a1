/** Nodes on their own database, with a user who sends requests, and counters of the used resources. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client as DatabaseClient } from 'pg'
import { childrenOf, cpuMs, cpuOfTreeMs } from '../../test/support/process-figures.ts'
import type { ServiceProcess } from '../../test/support/service-process.ts'
import { startService, unlimited, untilQuiet } from '../../test/support/service-process.ts'
import type { ClientOptions } from '../harness/goals.ts'
import { writtenBytes } from '../harness/written-bytes.ts'
import type { Kind } from './costs-kinds.ts'
import type { Person } from './costs-person.ts'
import { preparePerson, untilDone } from './costs-person.ts'

export const maxConcurrent = 16

export type Site = {
  readonly services: readonly ServiceProcess[]
  readonly person: Person
  readonly database: DatabaseClient
  /** The parent process of PostgreSQL's processes. */
  readonly postmaster: number
  /** The number of a node's connections that are used; a smoke run needs only some. */
  readonly connectionsOfNode: number
  readonly close: () => Promise<void>
}

export async function openSite(
  { databases, scale }: Pick<ClientOptions, 'databases' | 'scale'>,
  nodes: 1 | 2,
): Promise<Site> {
  const databaseUrl = await databases.create(`costs_${nodes}`)
  const settings = {
    ...unlimited,
    DATABASE_URL: databaseUrl,
    SESSION_SECRET: randomUUID(),
    CREDITS: 'off',
  }
  const services: ServiceProcess[] = []
  const database = new DatabaseClient({ connectionString: databaseUrl })
  const close = async () => {
    await database.end()
    for (const service of services.toReversed()) await service.stop()
  }
  try {
    await database.connect()
    for (let node = 0; node < nodes; node += 1) {
      // One folder for both nodes, because they share files.
      const [first] = services
      const folder = first ? { DATA_DIR: join(first.folder, 'data') } : {}
      services.push(await startService({ ...settings, ...folder }))
    }
    const person = await preparePerson(services[0]?.url ?? '', scale)
    const postmaster = await postmasterOf(database)
    return { services, database, close, person, postmaster, connectionsOfNode: scale(12, 1) }
  } catch (error) {
    await close()
    throw error
  }
}

async function postmasterOf(database: DatabaseClient): Promise<number> {
  const { rows } = await database.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  )
  const file = join(rows[0]?.folder ?? '', 'postmaster.pid')
  return Number(readFileSync(file, 'utf8').split('\n')[0])
}

let sent = 0

/** Sends requests to the nodes in turn. Returns the number of bytes received. */
export async function send(
  kind: Kind,
  { services, person }: Site,
  { requests, atOnce }: { requests: number; atOnce: number },
): Promise<number> {
  let left = requests
  let bytes = 0
  const lane = async () => {
    while (left > 0) {
      left -= 1
      const number = (sent += 1)
      const { url } = services[number % services.length] ?? { url: '' }
      const answer = await kind.send(person, url, number)
      const { byteLength } = await answer.arrayBuffer()
      bytes += byteLength
      if (!answer.ok) throw new Error(`${kind.name}: ${answer.status}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, requests) }, lane))
  return bytes
}

/** Waits until the background work of the requests is done. */
export async function settle({ services, database }: Site): Promise<void> {
  await untilDone(() => hasNoJobs(database))
  await Promise.all(services.map(untilQuiet))
}

/**
 * Waits until PostgreSQL's statistics are complete. A PostgreSQL process collects its counters and
 * publishes them with the next statement at least a second later, so each connection gets one.
 */
export async function untilTold({ services, person, connectionsOfNode }: Site): Promise<void> {
  await sleep(1100)
  const asked = services.flatMap(({ url }) =>
    Array.from({ length: 4 * connectionsOfNode }, async () => {
      const answer = await person.get(url, '/api/sessions?limit=1')
      await answer.arrayBuffer()
    }),
  )
  await Promise.all(asked)
}

/** Returns true if no job is due: a node whose job waits for its turn looks idle. */
async function hasNoJobs(database: DatabaseClient): Promise<boolean> {
  const { rows } = await database.query(
    `select from pgboss.job
      where state < 'completed' and start_after <= now() and not starts_with(name, '__pgboss')
      limit 1`,
  )
  return rows.length === 0
}

/** Returns the processor time of all processes of the nodes and of PostgreSQL. */
export function processorMsOf({ services, postmaster }: Site) {
  return {
    nodeMs: sumOf(
      services.map(({ pid }) => pid),
      cpuOfTreeMs,
    ),
    databaseMs: sumOf(childrenOf(postmaster), cpuMs),
  }
}

/**
 * Returns the bytes written and read so far: by PostgreSQL, including checkpoints, and by nodes into files.
 */
export async function countersOf({ services, database }: Site) {
  const { rows } = await database.query<Record<'wal' | 'syncs' | 'reads' | 'writes', string>>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as wal,
      coalesce(sum(fsyncs), 0)::text as syncs,
      coalesce(sum(reads), 0)::text as reads,
      coalesce(sum(writes) + sum(extends), 0)::text as writes
    from pg_stat_io`,
  )
  const { wal = '0', syncs = '0', reads = '0', writes = '0' } = rows[0] ?? {}
  return {
    walBytes: Number(wal),
    syncs: Number(syncs),
    reads: Number(reads),
    writes: Number(writes),
    fileBytes: sumOf(
      services.map(({ pid }) => pid),
      writtenBytes,
    ),
  }
}

function sumOf(pids: readonly number[], figureOf: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + figureOf(pid), 0)
}
