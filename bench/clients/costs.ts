/**
 * What one request of each kind costs, in processor time of the node and of PostgreSQL, in bytes and in
 * writes to the disk, for docs/operating/capacity.md; and whether two nodes do the same work for the
 * same processor time as one.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client as DatabaseClient } from 'pg'
import type { PostgresServer } from '../../test/support/postgres-server.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { childrenOf, cpuMs, cpuOfTreeMs, residentMb } from '../../test/support/process-figures.ts'
import type { ServiceProcess } from '../../test/support/service-process.ts'
import { startService, unlimited, untilQuiet } from '../../test/support/service-process.ts'
import type { ClientBenchmark, GoalFinding } from '../harness/goals.ts'
import { goalFinding } from '../harness/goals.ts'
import { writtenBytes } from '../harness/written-bytes.ts'
import type { Person } from './costs-person.ts'
import { preparePerson, publishedSessions, slides, untilDone } from './costs-person.ts'

const mostAtOnce = 16
/** For each node: what is compiled on the way is no part of what a request costs. */
const warmUpRequests = 400
const countedRequests = 400
const photographs = 12
const restMs = 20_000
/** Two nodes for 1 / 0.9 of what one needs. */
const mostOfOneNode = 1 / 0.9

type Kind = {
  readonly name: string
  /** As many as for others, unless told; those are compared on two nodes too. */
  readonly requests?: number
  readonly warmUp?: number
  readonly atOnce?: number
  readonly send: (person: Person, url: string, number: number) => Promise<Response>
}

type Cost = {
  readonly nodeMs: number
  readonly databaseMs: number
  readonly bytes: number
  readonly walBytes: number
  readonly syncs: number
  /** By the node, into files. */
  readonly fileBytes: number
}

const kinds: readonly Kind[] = [
  { name: 'who am I', send: (person, url) => person.get(url, '/api/auth/user') },
  { name: 'list of 50 sessions', send: (person, url) => person.get(url, '/api/sessions?limit=50') },
  {
    name: `a session of ${slides} slides`,
    send: (person, url) => person.get(url, `/api/sessions/${person.sessionId}`),
  },
  {
    name: `the community, ${publishedSessions} sessions`,
    send: (person, url) => person.get(url, '/api/community'),
  },
  {
    name: 'preview of a share',
    send: (person, url) => person.get(url, `/api/shared/${person.shareCode}/preview`),
  },
  {
    name: 'a session played: begun, and five of its slides seen',
    send: (person, url) => person.play(url),
  },
  {
    name: 'a session made of a file',
    send: (person, url, number) =>
      person.post(url, '/api/sessions/manual', {
        title: `Number ${number}`,
        slides: [{ mediaId: person.fileId }],
      }),
  },
  {
    name: 'a picture as a screen shows it, 1280 wide, sent',
    send: (person, url) => person.get(url, person.screenUrl),
  },
  {
    name: 'a photograph as it is, sent',
    requests: 100,
    warmUp: 50,
    send: (person, url) => person.get(url, person.pictureUrl),
  },
  {
    name: 'a photograph of 12 megapixels, taken in, with its sizes',
    requests: photographs,
    warmUp: 1,
    // An account has few places for what is decoded.
    atOnce: 2,
    send: (person, url, number) => person.upload(url, number),
  },
]

/** One node and, beside it, two that share a database and a folder; work is put on one of them at a time. */
export const measure: ClientBenchmark = async ({ rounds, progress }) => {
  const postgres = await startPostgres()
  const sites: Site[] = []
  try {
    for (const nodes of [1, 2] as const) sites.push(await openSite(postgres, nodes))
    const [one, two] = sites
    if (!one || !two) throw new Error('there is no site')
    progress(await restOf(one))
    progress(headOf)
    for (const kind of kinds) {
      progress(lineOf(kind.name, await costOf(kind, one)))
      // So that both are as warm when they are compared.
      if (isCompared(kind)) await costOf(kind, two)
    }
    for (const { pid } of one.services) progress(`afterwards: ${mb(pid)} MB\n`)
    const ratios: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const { ratio, byKind } = await compare(one, two, { beginsWith: round % 2 === 0 ? one : two })
      ratios.push(ratio)
      progress(`round ${round + 1}: ${ratio.toFixed(3)} (${byKind.join(', ')})\n`)
    }
    const named = {
      benchmark: 'costs',
      what: 'processor time of two nodes beside one',
      unit: 'ratio',
      goal: Number(mostOfOneNode.toFixed(3)),
    }
    return [goalFinding(named, ratios)] satisfies GoalFinding[]
  } finally {
    for (const site of sites) await site.close()
    await postgres.stop()
  }
}

function isCompared({ requests }: Kind): boolean {
  return requests === undefined
}

/** What is taken while nothing is asked; of PostgreSQL by three nodes. */
async function restOf({ services, database }: Site): Promise<string> {
  await Promise.all(services.map(untilQuiet))
  const before = await figuresOf(services, database)
  await sleep(restMs)
  const after = await figuresOf(services, database)
  const perSecond = (from: number, to: number) => ((to - from) / (restMs / 1000)).toFixed(1)
  const memory = services.map(({ pid }) => `${mb(pid)} MB`).join(', ')
  const node = perSecond(before.nodeMs, after.nodeMs)
  const ofDatabase = perSecond(before.databaseMs, after.databaseMs)
  return `at rest, after some photographs: ${memory}, ${node} ms a second, PostgreSQL ${ofDatabase}\n`
}

/** The processor time of two nodes as a part of one's, for the same requests, kind by kind on both. */
async function compare(one: Site, two: Site, { beginsWith }: { beginsWith: Site }) {
  const byKind: string[] = []
  let [oneMs, twoMs] = [0, 0]
  for (const kind of kinds.filter(isCompared)) {
    const costs = new Map<Site, number>()
    for (const site of beginsWith === one ? [one, two] : [two, one])
      costs.set(site, (await costOf(kind, site)).nodeMs)
    const [ofOne = NaN, ofTwo = NaN] = [costs.get(one), costs.get(two)]
    byKind.push(`${kind.name} ${(ofTwo / ofOne).toFixed(2)}`)
    oneMs += ofOne
    twoMs += ofTwo
  }
  return { ratio: twoMs / oneMs, byKind }
}

type Site = {
  readonly services: readonly ServiceProcess[]
  readonly person: Person
  readonly database: DatabaseClient
  readonly close: () => Promise<void>
}

async function openSite(postgres: PostgresServer, nodes: 1 | 2): Promise<Site> {
  const name = `costs_${nodes}`
  await postgres.administer(`create database ${name}`)
  const settings = {
    ...unlimited,
    DATABASE_URL: postgres.urlOf(name),
    SESSION_SECRET: randomUUID(),
    CREDITS: 'off',
  }
  const services: ServiceProcess[] = []
  const database = new DatabaseClient({ connectionString: postgres.urlOf(name) })
  const close = async () => {
    await database.end()
    for (const service of services.toReversed()) await service.stop()
  }
  try {
    await database.connect()
    for (let node = 0; node < nodes; node += 1) {
      // One folder for both: the files of one are the files of the other.
      const [first] = services
      const folder = first ? { DATA_DIR: join(first.folder, 'data') } : {}
      services.push(await startService({ ...settings, ...folder }))
    }
    return { services, database, close, person: await preparePerson(services[0]?.url ?? '') }
  } catch (error) {
    await close()
    throw error
  }
}

const headOf = `| request | node, ms | PostgreSQL, ms | bytes before compression | WAL bytes | fsyncs | bytes into files |
|---|---|---|---|---|---|---|
`

function mb(pid: number): number {
  return Math.round(residentMb(pid))
}

function lineOf(name: string, cost: Cost): string {
  const cells = [
    name,
    cost.nodeMs.toFixed(2),
    cost.databaseMs.toFixed(2),
    String(Math.round(cost.bytes)),
    String(Math.round(cost.walBytes)),
    cost.syncs.toFixed(2),
    String(Math.round(cost.fileBytes)),
  ]
  return `| ${cells.join(' | ')} |\n`
}

/** Of one request, with what it leaves to be done. */
async function costOf(kind: Kind, { person, services, database }: Site): Promise<Cost> {
  const requests = kind.requests ?? countedRequests
  let sent = 0
  let bytes = 0
  const sendAll = async (most: number) => {
    const last = sent + most
    const lane = async () => {
      while (sent < last) {
        const number = (sent += 1)
        const { url } = services[number % services.length] ?? { url: '' }
        const answer = await kind.send(person, url, number)
        const { byteLength } = await answer.arrayBuffer()
        bytes += byteLength
        if (!answer.ok) throw new Error(`${kind.name}: ${answer.status}`)
      }
    }
    await Promise.all(Array.from({ length: Math.min(kind.atOnce ?? mostAtOnce, most) }, lane))
  }
  const settle = async () => {
    await untilDone(() => hasNoJobs(database))
    await Promise.all(services.map(untilQuiet))
  }
  await sendAll((kind.warmUp ?? warmUpRequests) * services.length)
  await settle()
  bytes = 0
  const before = await figuresOf(services, database)
  await sendAll(requests)
  await settle()
  const after = await figuresOf(services, database)
  return {
    nodeMs: (after.nodeMs - before.nodeMs) / requests,
    databaseMs: (after.databaseMs - before.databaseMs) / requests,
    bytes: bytes / requests,
    walBytes: (after.walBytes - before.walBytes) / requests,
    syncs: (after.syncs - before.syncs) / requests,
    fileBytes: (after.fileBytes - before.fileBytes) / requests,
  }
}

/** A node whose job waits for its turn looks as if it were at rest. */
async function hasNoJobs(database: DatabaseClient): Promise<boolean> {
  const { rows } = await database.query(
    `select from pgboss.job
      where state < 'completed' and start_after <= now() and not starts_with(name, '__pgboss')
      limit 1`,
  )
  return rows.length === 0
}

async function figuresOf(services: readonly ServiceProcess[], database: DatabaseClient) {
  const { rows } = await database.query<{ wal: string; syncs: string; folder: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as wal,
      (select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal')::text as syncs,
      current_setting('data_directory') as folder`,
  )
  const { wal = '0', syncs = '0', folder = '' } = rows[0] ?? {}
  const postmaster = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  const nodes = services.map(({ pid }) => pid)
  return {
    nodeMs: sumOf(nodes, cpuOfTreeMs),
    fileBytes: sumOf(nodes, writtenBytes),
    databaseMs: sumOf(childrenOf(postmaster), cpuMs),
    walBytes: Number(wal),
    syncs: Number(syncs),
  }
}

function sumOf(pids: readonly number[], figureOf: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + figureOf(pid), 0)
}
