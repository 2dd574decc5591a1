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
import type { Client } from '../../src/client/client.ts'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { createCookieJar, fetchWithCookies } from '../../test/support/cookie-jar.ts'
import type { PostgresServer } from '../../test/support/postgres-server.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { childrenOf, cpuMs, residentMb } from '../../test/support/process-figures.ts'
import type { ServiceProcess } from '../../test/support/service-process.ts'
import { startService, unlimited, untilQuiet } from '../../test/support/service-process.ts'
import type { ClientBenchmark, GoalFinding } from '../harness/goals.ts'
import { goalFinding } from '../harness/goals.ts'
import { takePhotograph } from './site.ts'

const atOnce = 16
const warmUpRequests = 400
const countedRequests = 800
const photographs = 12
const slides = 25
const publishedSessions = 10
const publishingTimeoutMs = 300_000
/** Two nodes for 1 / 0.9 of what one needs. */
const mostOfOneNode = 1 / 0.9

type Person = Awaited<ReturnType<typeof prepare>>

type Kind = {
  readonly name: string
  readonly requests?: number
  readonly warmUp?: number
  readonly send: (person: Person, url: string, number: number) => Promise<Response>
}

type Cost = {
  readonly nodeMs: number
  readonly databaseMs: number
  readonly bytes: number
  readonly walBytes: number
  readonly syncs: number
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
    name: 'slides that were seen',
    send: (person, url) =>
      person.post(url, `/api/plays/${person.playId}/views`, { mediaIds: person.mediaIds }),
  },
  {
    name: 'a session made of a file',
    send: (person, url, number) =>
      person.post(url, '/api/sessions/manual', {
        title: `Number ${number}`,
        slides: [{ mediaId: person.fileId }],
      }),
  },
  { name: 'a picture of 1.5 MB, sent', send: (person, url) => person.get(url, person.pictureUrl) },
  {
    name: 'a photograph of 12 megapixels, taken in, with its sizes',
    requests: photographs,
    warmUp: 1,
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
    for (const { pid } of one.services) progress(`idle: ${mb(pid)} MB\n`)
    progress(headOf)
    for (const kind of kinds) progress(lineOf(kind.name, await costOf(kind, one)))
    for (const { pid } of one.services) progress(`afterwards: ${mb(pid)} MB\n`)
    const ratios: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      // Each begins as often as the other.
      const order = round % 2 === 0 ? [one, two] : [two, one]
      const totals = new Map(sites.map((site) => [site, 0]))
      for (const kind of kinds.filter(({ requests }) => requests === undefined))
        for (const site of order)
          totals.set(site, (totals.get(site) ?? 0) + (await costOf(kind, site)).nodeMs)
      ratios.push((totals.get(two) ?? NaN) / (totals.get(one) ?? NaN))
      progress(`round ${round + 1}: ${ratios.at(-1)?.toFixed(3)}\n`)
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
    return { services, database, close, person: await prepare(services[0]?.url ?? '') }
  } catch (error) {
    await close()
    throw error
  }
}

const headOf = `| request | node, ms | PostgreSQL, ms | bytes sent | WAL bytes | fsyncs |
|---|---|---|---|---|---|
`

function mb(pid: number): number {
  return Math.round(residentMb(pid))
}

function lineOf(name: string, { nodeMs, databaseMs, bytes, walBytes, syncs }: Cost): string {
  const cells = [
    name,
    nodeMs.toFixed(2),
    databaseMs.toFixed(2),
    String(Math.round(bytes)),
    String(Math.round(walBytes)),
    syncs.toFixed(2),
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
        bytes += (await answer.arrayBuffer()).byteLength
        if (!answer.ok) throw new Error(`${kind.name}: ${answer.status}`)
      }
    }
    await Promise.all(Array.from({ length: Math.min(atOnce, most) }, lane))
  }
  await sendAll(kind.warmUp ?? warmUpRequests)
  await Promise.all(services.map(untilQuiet))
  bytes = 0
  const before = await figuresOf(services, database)
  await sendAll(requests)
  await Promise.all(services.map(untilQuiet))
  const after = await figuresOf(services, database)
  return {
    nodeMs: (after.nodeMs - before.nodeMs) / requests,
    databaseMs: (after.databaseMs - before.databaseMs) / requests,
    bytes: bytes / requests,
    walBytes: (after.walBytes - before.walBytes) / requests,
    syncs: (after.syncs - before.syncs) / requests,
  }
}

async function figuresOf(services: readonly ServiceProcess[], database: DatabaseClient) {
  const { rows } = await database.query<{ wal: string; syncs: string; folder: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as wal,
      (select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal')::text as syncs,
      current_setting('data_directory') as folder`,
  )
  const { wal = '0', syncs = '0', folder = '' } = rows[0] ?? {}
  const postmaster = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    nodeMs: cpuMsOf(services.map(({ pid }) => pid)),
    databaseMs: cpuMsOf(childrenOf(postmaster)),
    walBytes: Number(wal),
    syncs: Number(syncs),
  }
}

function cpuMsOf(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + cpuMs(pid), 0)
}

/** Someone with sessions, files and a link, who asks any of the nodes. */
async function prepare(url: string) {
  const jar = createCookieJar()
  const client = createClient(api, { baseUrl: url, fetch: fetchWithCookies(jar) })
  await client.accounts.register({
    body: { email: 'ana@example.test', password: 'a long enough password' },
  })
  await client.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  const taken = await Promise.all(
    Array.from({ length: 3 }, (_, number) => takePhotograph(number, { width: 4000, height: 3000 })),
  )
  const fileOf = (number: number) => {
    const bytes = taken[number % taken.length] ?? Buffer.alloc(0)
    // Behind its end, so that each is another file.
    const own = Buffer.concat([bytes, Buffer.from(String(number))])
    return new File([own], `${number}.jpg`, { type: 'image/jpeg' })
  }
  const { media } = await client.vault.upload({ form: { file: fileOf(0) } })
  const fileId = media?.id ?? 0
  const many = Array.from({ length: slides }, () => ({ mediaId: fileId, caption: 'Look.' }))
  const { session } = await client.sessions.createManual({ body: { title: 'Long', slides: many } })
  for (let number = 1; number < 50; number += 1)
    await client.sessions.createManual({
      body: {
        title: `S ${number}`,
        slides: many.slice(0, 1),
        shareToCommunity: number <= publishedSessions,
      },
    })
  await untilPublished(client)
  const params = { id: String(session.id) }
  const read = await client.sessions.read({ params })
  const { playId } = await client.sessions.play({ params })
  const { shareCode } = await client.sharing.shareSession({ params, body: {} })
  const headers = { cookie: jar.header() }
  return {
    sessionId: session.id,
    shareCode,
    playId,
    fileId,
    mediaIds: read.media.slice(0, 5).map(({ id }) => id),
    pictureUrl: read.media[0]?.mediaUrl ?? '',
    get: (node: string, path: string) => fetch(`${node}${path}`, { headers }),
    post: (node: string, path: string, body: object) =>
      fetch(`${node}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    upload(node: string, number: number) {
      const form = new FormData()
      form.set('file', fileOf(number))
      return fetch(`${node}/api/media/upload`, { method: 'POST', headers, body: form })
    },
  }
}

/** Their pictures are copied in the background. */
async function untilPublished(client: Client): Promise<void> {
  for (const deadlineMs = performance.now() + publishingTimeoutMs; ;) {
    const { items } = await client.community.browse({ query: { limit: '100' } })
    if (items.length >= publishedSessions) return
    if (performance.now() > deadlineMs) throw new Error(`${items.length} are published`)
    await sleep(200)
  }
}
