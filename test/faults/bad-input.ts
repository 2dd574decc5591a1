/** Every operation of our own OpenAPI document, called with input that violates it. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '../../src/contract/api.ts'
import { faultEngines } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Random, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { ApiDocument, HostileRequest } from '../support/hostile-requests.ts'
import { createRequestMaker, readOperations } from '../support/hostile-requests.ts'
import type { Outcome } from '../support/hostile-sender.ts'
import { complaintOf, sendHostile } from '../support/hostile-sender.ts'
import { readHostileValues } from '../support/hostile-values.ts'
import { residentMb } from '../support/process-figures.ts'
import { createSampler } from '../support/schema-sampler.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { devCookie, startService } from '../support/service-process.ts'

// Fewer requests on the embedded database, where each takes twice the CPU time.
const seeds = [
  { engine: 'postgres', requests: 20_000 },
  { engine: 'embedded', requests: 10_000 },
  { engine: 'postgres', requests: 20_000 },
] as const
const atOnce = 24
const warmUp = 1500
const maxGrowthMb = 100

export const row: FaultRow = {
  budgetSeconds: 600,
  runs: 'in the table',
  machine: 'shared',
  shortTests: [
    'test/api/integers.test.ts',
    'test/api/refusals.test.ts',
    'test/api/bad-input.test.ts',
  ],
  mutant: {
    file: 'src/server/http/storable-text.ts',
    line: "return !text.includes('\\u0000') && text.isWellFormed()",
    becomes: 'return text.isWellFormed()',
  },
  checks: seeds.map(({ engine, requests }, index) => ({
    load: `${requests} hostile requests at every operation, ${engine}, seed ${index + 1} of ${seeds.length}`,
    goal: `no 5xx but the contract’s 503 (and oEmbed’s 501), no hang, no dropped connection, no path or stack, RSS ≤ +${maxGrowthMb} MB`,
    run: (tools) => sendAll(tools, engine, requests),
  })),
}

async function sendAll(
  tools: FaultTools,
  engineName: 'postgres' | 'embedded',
  requests: number,
): Promise<Verdict> {
  const engine = await faultEngines[engineName]()
  tools.afterwards(() => engine.close())
  const home = await engine.newHome()
  const service = await startService({ ...home.settings, CAPTIONS: 'demo' }, home)
  const { random, scaled, say } = tools
  const answer = await fetch(`${service.url}/api/openapi.json`)
  const document = (await answer.json()) as ApiDocument
  const operations = readOperations(document)
  if (operations.length !== endpoints.length) throw new Error('the document is not the contract')
  const hostile = readHostileValues(random)
  const make = createRequestMaker(
    random,
    createSampler(document.components.schemas, random),
    hostile,
  )
  const faults = new Map<string, number>()
  const statuses = new Map<number, number>()
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const people = createPeople(service, random)
  const note = (asked: HostileRequest, outcome: Outcome) => {
    statuses.set(outcome.status, (statuses.get(outcome.status) ?? 0) + 1)
    const complaint = complaintOf(asked, outcome, service.folder)
    if (complaint === null) return
    faults.set(complaint, (faults.get(complaint) ?? 0) + 1)
    if (faults.get(complaint) === 1)
      say(
        `${complaint}: ${asked.path.slice(0, 300)} ${asked.body?.toString().slice(0, 300)}; last in the log: ${lastErrorIn(service.stdout)}`,
      )
  }
  const count = scaled(requests, 1000)
  let [sent, idleMb] = [0, 0]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (sent < count && service.isRunning) {
        const index = (sent += 1)
        if (index === Math.min(warmUp, count / 4)) idleMb = residentMb(service.pid)
        const operation = operations[index % operations.length]
        if (!operation) throw new Error('there are no operations')
        const asked = make(operation)
        const cookie = await people.cookie()
        const outcome = await sendHostile(service.url, agent, asked, cookie)
        if (outcome.status === 401 && cookie !== '') people.signedOut()
        note(asked, outcome)
      }
    }),
  )
  agent.destroy()
  const isRunning = service.isRunning
  await sleep(3000)
  const growthMb = Math.round(residentMb(service.pid) - idleMb)
  say(`answers: ${JSON.stringify(Object.fromEntries(statuses))}`)
  const broken = [...faults].map(([words, times]) => `${times} × ${words}`)
  return verdict(
    `${sent} requests at ${operations.length} operations: ${broken.length === 0 ? 'none of it' : broken.join(', ')}; RSS ${growthMb >= 0 ? '+' : ''}${growthMb} MB`,
    {
      'an answer was not as it must be': broken.length === 0,
      'the service ended': isRunning,
      'too much memory': growthMb <= maxGrowthMb,
    },
  )
}

function lastErrorIn(log: string): string {
  const errors = log
    .slice(-50_000)
    .split('\n')
    .filter((line) => line.includes('"level":50'))
  return errors.at(-1)?.slice(0, 600) ?? 'no error'
}

/** Visitors, members and administrators. They sign in again when a request has signed them out. */
function createPeople(service: ServiceProcess, random: Random) {
  let arriving: Promise<void> | null = null
  let cookies: readonly string[] = []
  let made = 0
  const register = async () => {
    made += 1
    const answer = await fetch(`${service.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `p${made}@example.test`, password: 'a long enough password' }),
    })
    await answer.arrayBuffer()
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
  const arrive = async () => {
    const member = (await devCookie(service, 3)) || (await register())
    const administrator = (await devCookie(service, 1)) || (await devCookie(service, 2))
    cookies = ['', member, member, member, administrator, administrator, administrator]
  }
  return {
    async cookie(): Promise<string> {
      if (cookies.length === 0) arriving ??= arrive().finally(() => (arriving = null))
      if (arriving) await arriving
      return random.pick(cookies)
    },
    /** Checks at the next request which of them are still signed in. */
    signedOut(): void {
      cookies = []
    },
  }
}
