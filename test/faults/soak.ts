/**
 * Half an hour of all user actions, repeated: at the end a node uses as much as after its first minutes.
 * Runs only by its name: `npm run faults soak`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Random, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { Caller } from '../support/outage-stage.ts'
import { grantCredits, registerCaller } from '../support/outage-stage.ts'
import { noise } from '../support/pictures.ts'
import { openHandles, residentMb } from '../support/process-figures.ts'
import { startService } from '../support/service-process.ts'

const soakSeconds = 1800
const people = 12
const streamSeconds = 8
const sampleMs = 5000
const maxGrowthMb = 60
const maxExtraHandles = 20
const maxExtraConnections = 4
/** A ratio: the number of listeners follows the requests of the moment. */
const maxExtraListeners = 1.2
/** Tables that sweeps or the work itself empty. */
const sweepable = ['unclaimed_files', 'idempotency_keys', 'credit_holds', 'event_streams']

export const row: FaultRow = {
  budgetSeconds: 2400,
  runs: 'by name',
  shortTests: ['test/api/event-hub.test.ts', 'test/api/unclaimed-files.test.ts'],
  mutant: {
    file: 'src/server/features/sessions/events/event-hub.ts',
    line: 'const unreleased: Slot[] = []',
    becomes:
      'const unreleased: Slot[] = []; const leaked = [unreleased.length]; setInterval(() => leaked.push(...Array(1e5).fill(Math.random())), 200)',
  },
  checks: [
    {
      load: `${soakSeconds} s of mixed requests, uploads, event streams and jobs of ${people} people`,
      goal: `RSS ≤ +${maxGrowthMb} MB, handles ≤ +${maxExtraHandles}, listeners ≤ +20 %, connections ≤ +${maxExtraConnections}, sweepable rows flat`,
      run: soak,
    },
  ],
}

type Sample = {
  readonly mb: number
  readonly handles: number
  readonly listeners: number
  readonly connections: number
  readonly rows: number
}

async function soak(tools: FaultTools): Promise<Verdict> {
  const home = await newServerHome(tools)
  const listeners = join(home.folder, 'listeners')
  const service = await startService(
    { ...home.settings, CAPTIONS: 'demo', LISTENERS: listeners },
    { ...home, program: 'test/support/listening-service.ts' },
  )
  const database = new Client({ connectionString: home.databaseUrl })
  await database.connect()
  tools.afterwards(() => database.end())
  const callers: Caller[] = []
  for (let n = 0; n < people; n += 1) {
    const caller = await registerCaller(service.url, `p${n}`)
    await grantCredits(service.url, caller, 1_000_000)
    callers.push(caller)
  }
  const seconds = tools.scaled(soakSeconds, 60)
  const endMs = performance.now() + seconds * 1000
  const failures = new Map<string, number>()
  const living = callers.map((caller) => live(caller, tools.random, endMs, failures))
  const tables = await existing(database)
  const samples: Sample[] = []
  while (performance.now() < endMs) {
    await sleep(sampleMs)
    samples.push(await take(service.pid, database, tables, listeners))
    if (samples.length % 24 === 0) tools.say(JSON.stringify(samples.at(-1)))
  }
  await Promise.all(living)
  // Caches fill during the first third. The second third is compared with the last.
  const third = Math.max(1, Math.floor(samples.length / 3))
  const [early, late] = [middle(samples.slice(third, 2 * third)), middle(samples.slice(-third))]
  const failed = [...failures].map(([what, times]) => `${times} × ${what}`)
  return verdict(
    `RSS ${early.mb} → ${late.mb} MB, handles ${early.handles} → ${late.handles}, listeners ${early.listeners} → ${late.listeners}, connections ${early.connections} → ${late.connections}, rows ${early.rows} → ${late.rows}${failed.length > 0 ? `; ${failed.join(', ')}` : ''}`,
    {
      'memory grows': late.mb - early.mb <= maxGrowthMb,
      'handles pile up': late.handles - early.handles <= maxExtraHandles,
      'listeners pile up': late.listeners <= early.listeners * maxExtraListeners,
      'connections pile up': late.connections - early.connections <= maxExtraConnections,
      'rows pile up': late.rows <= early.rows * 1.5 + 100,
      'a request failed': failed.length === 0,
    },
  )
}

/** Performs random actions one after the other. */
async function live(
  caller: Caller,
  random: Random,
  endMs: number,
  failures: Map<string, number>,
): Promise<void> {
  const bytes = new Uint8Array(await noise(300, 200, 'jpeg', random.between(1, 9999)))
  while (performance.now() < endMs) {
    const [name, act] = random.pick(Object.entries(acts))
    const { status } = await act(caller, bytes)
    if (status >= 500 || status === 0)
      failures.set(`${name} ${status}`, (failures.get(`${name} ${status}`) ?? 0) + 1)
    await sleep(random.between(50, 400))
  }
}

const json = (method: string, body: object) => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const acts: Readonly<
  Record<string, (caller: Caller, bytes: Uint8Array<ArrayBuffer>) => Promise<{ status: number }>>
> = {
  account: (caller) => caller('/api/auth/user'),
  sessions: (caller) => caller('/api/sessions'),
  community: (caller) => caller('/api/community/sessions'),
  rewrite: (caller) => caller('/api/manual/rewrite-caption', json('POST', { caption: 'Look.' })),
  rename: (caller) => caller('/api/auth/user', json('PATCH', { firstName: `N${Math.random()}` })),
  async upload(caller, bytes) {
    const form = new FormData()
    form.set('file', new File([bytes], 'a.jpg', { type: 'image/jpeg' }))
    const { status, body } = await caller('/api/media/upload', { method: 'POST', body: form })
    const { media } = (body ?? {}) as { media?: { id: number } }
    if (status === 200 && media) await caller(`/api/user/media/${media.id}`, { method: 'DELETE' })
    return { status }
  },
  async listen(caller) {
    const slides = [{ mediaUrl: 'https://example.org/a.jpg' }]
    const made = await caller('/api/sessions/manual', json('POST', { title: 'Soak', slides }))
    const { session } = (made.body ?? {}) as { session?: { id: number } }
    if (!session) return made
    const signal = AbortSignal.timeout(streamSeconds * 1000)
    await caller(`/api/sessions/${session.id}/events`, { signal })
    return caller(`/api/sessions/${session.id}`, { method: 'DELETE' })
  },
}

async function existing(database: Client): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_name = any($1)`,
    [sweepable],
  )
  return rows.map(({ name }) => name)
}

async function take(
  pid: number,
  database: Client,
  tables: readonly string[],
  listenersFile: string,
): Promise<Sample> {
  const counts = tables.map((name) => `(select count(*) from ${name})`)
  const { rows } = await database.query<{ connections: number; rows: number }>(
    `select (select count(*) from pg_stat_activity where datname = current_database())::int
      as connections, (${[...counts, '0'].join(' + ')})::int as rows`,
  )
  const [found = { connections: 0, rows: 0 }] = rows
  const listeners = existsSync(listenersFile) ? Number(readFileSync(listenersFile, 'utf8')) : 0
  return { mb: Math.round(residentMb(pid)), handles: openHandles(pid), listeners, ...found }
}

/** Returns the median of each figure. */
function middle(samples: readonly Sample[]): Sample {
  const of = (pick: (sample: Sample) => number) =>
    samples.map(pick).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0
  return {
    mb: of(({ mb }) => mb),
    handles: of(({ handles }) => handles),
    listeners: of(({ listeners }) => listeners),
    connections: of(({ connections }) => connections),
    rows: of(({ rows }) => rows),
  }
}
