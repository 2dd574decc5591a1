/**
 * Archives against a real process: hostile ones are refused quickly, with little memory and without a
 * trace. Valid ones are restored unchanged.
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { createClient } from '../../src/client/client.ts'
import { api } from '../../src/contract/api.ts'
import { anySession, fillVault, travel } from '../support/archive-roundtrip.ts'
import { createCookieJar, fetchWithCookies } from '../support/cookie-jar.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { hostileArchives } from '../support/hostile-archives.ts'
import { forgetPeak, peakMb, residentMb } from '../support/process-figures.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { startService, unlimited } from '../support/service-process.ts'

const maxMs = 2000
const maxGrowthMb = 150
const rounds = 3
const journeys = 40

export const row: FaultRow = {
  budgetSeconds: 240,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/archive-hostile.test.ts', 'test/api/archive-roundtrip.test.ts'],
  mutant: {
    file: 'src/server/features/archives/zip/zip-directory.ts',
    line: "if (names.has(folded)) throw new ArchiveRefused('duplicate-name')",
    becomes: '',
  },
  checks: [
    {
      load: `every hostile archive, ${rounds} times`,
      goal: `refused by its reason within ${maxMs / 1000} s, RSS ≤ +${maxGrowthMb} MB, no file left`,
      run: sendHostile,
    },
    {
      load: `${journeys} sessions of any kind, from one site to another`,
      goal: 'they stay what they are',
      run: travelOften,
    },
  ],
}

async function sendHostile({ say }: FaultTools): Promise<Verdict> {
  const service = await startService({ ...unlimited, LOG_LEVEL: 'info' })
  const person = await signIn(service)
  const archives = hostileArchives()
  await send(person, archives[0]?.bytes ?? Buffer.alloc(0))
  forgetPeak(service.pid)
  const idleMb = residentMb(service.pid)
  let slowest = { ms: 0, kind: '' }
  for (let round = 0; round < rounds; round += 1)
    for (const { kind, fault, bytes } of archives) {
      const startedMs = performance.now()
      const { status, reason } = await send(person, bytes)
      const ms = performance.now() - startedMs
      if (ms > slowest.ms) slowest = { ms, kind }
      assert.deepEqual({ kind, status, reason }, { kind, status: 400, reason: fault })
    }
  const maxMb = peakMb(service.pid)
  say(`${archives.length} kinds; the slowest took ${Math.round(slowest.ms)} ms: ${slowest.kind}`)
  say(`memory ${idleMb.toFixed(0)} MB idle, ${maxMb.toFixed(0)} MB at most`)
  const growthMb = maxMb - idleMb
  return verdict(
    `${archives.length} kinds, slowest ${Math.round(slowest.ms)} ms, RSS +${growthMb.toFixed(0)} MB`,
    {
      'a file was left': filesOf(service).length === 0,
      'too slow': slowest.ms <= maxMs,
      'too much memory': growthMb <= maxGrowthMb,
      'the service ended': service.isRunning,
    },
  )
}

async function travelOften(tools: FaultTools): Promise<Verdict> {
  const { random, scaled } = tools
  const begin = async () => {
    const { settings } = await newServerHome(tools)
    return signIn(await startService({ ...settings, LOG_LEVEL: 'info' }))
  }
  const [here, there] = [await begin(), await begin()]
  const mediaIds = await fillVault(here)
  const seed = random.between(1, 1_000_000)
  const { failed, numRuns, counterexample } = await fc.check(
    fc.asyncProperty(await anySession(here, mediaIds), (session) => travel(here, there, session)),
    { seed, numRuns: scaled(journeys) },
  )
  return verdict(`${numRuns} journeys, fast-check seed ${seed}`, {
    [`one has changed: ${JSON.stringify(counterexample)}`]: !failed,
  })
}

async function send(person: Awaited<ReturnType<typeof signIn>>, bytes: Uint8Array) {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], 'x.zip'))
  const init = { method: 'POST', body: form }
  const response = await person.fetch('/api/sessions/import-joip', init)
  const { reason } = (await response.json()) as { reason?: string }
  return { status: response.status, reason }
}

async function signIn({ url }: ServiceProcess) {
  const jar = createCookieJar()
  const withCookies = fetchWithCookies(jar)
  await withCookies(`${url}/api/dev-login`)
  const client = createClient(api, { baseUrl: url, fetch: withCookies })
  return {
    ...client,
    fetch: (path: string, init?: RequestInit) => withCookies(`${url}${path}`, init),
  }
}

function filesOf({ folder }: ServiceProcess): string[] {
  const storage = join(folder, 'data/storage')
  return readdirSync(storage, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}
