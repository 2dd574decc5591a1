/**
 * Every dependency of a node fails in every way while many clients make requests. Answers arrive in time
 * and as the contract says, nothing is charged without a result, and the service recovers soon after.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { FaultCheck, FaultRow, FaultTools, Machine, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { Caller, OutageStage, Timed } from '../support/outage-stage.ts'
import {
  grantCredits,
  openOutageStage,
  registerCaller,
  slowestMs,
  summary,
} from '../support/outage-stage.ts'
import type { Failing } from '../support/silent-proxy.ts'
import { waysToFail } from '../support/silent-proxy.ts'
import { systemPostgresFolder } from '../support/system-postgres.ts'

const refusalMs = 3000
const recoveryMs = 5000
const stopMs = 26_000
const crowd = 40
const rewritePrice = 10
const roundsWithout = 4
const warmUpRounds = 5

/** A dependency of a node: the request made during the outage, its allowed statuses, and its time limit. */
type Dependency = {
  readonly name: 'database' | 'replica' | 'redis' | 'store' | 'captions' | 'feed'
  readonly ask: (caller: Caller, place: Place) => Promise<Timed>
  readonly words: readonly number[]
  readonly maxMs: number
  readonly machine?: Machine
  /** A request that must not be affected. */
  readonly untouched?: (caller: Caller) => Promise<Timed>
}

type Place = { readonly filePath: string }

let fetched = -1
// Each name takes two requests, and a host gets at most sixty in a minute.
const namesOfCrowd = 2
const nextName = () => `harbours${Math.ceil((fetched += 1) / crowd)}x${fetched % namesOfCrowd}`

const account = (caller: Caller) => caller('/api/auth/user')

const dependencies: readonly Dependency[] = [
  { name: 'database', ask: account, words: [200, 503], maxMs: refusalMs },
  {
    name: 'replica',
    // Without a cookie: after a write, reads of that person do not use the replica.
    ask: (caller) => caller('/api/site', { headers: { cookie: '' } }),
    words: [200],
    maxMs: refusalMs,
    untouched: account,
  },
  {
    name: 'redis',
    ask: (caller) => caller('/api/credits/balance'),
    words: [200],
    maxMs: refusalMs,
  },
  {
    name: 'store',
    ask: (caller, { filePath }) => caller(filePath),
    words: [200, 302, 503],
    maxMs: refusalMs,
    // A store that is two seconds late uses two of the three seconds.
    machine: 'alone',
    untouched: account,
  },
  {
    name: 'captions',
    ask: (caller) => caller('/api/manual/rewrite-caption', jsonBody({ caption: 'Look.' })),
    words: [200, 502, 503, 504],
    maxMs: 32_000,
    untouched: account,
  },
  {
    name: 'feed',
    // Results are cached for a while, so each crowd asks for another name. Few names, because requests to
    // one host are limited for each minute.
    ask: (caller) => caller('/api/fetch-feed', jsonBody({ subfeeds: nextName() })),
    words: [200, 502, 503],
    maxMs: 12_000,
    untouched: account,
  },
]

export const row: FaultRow = {
  budgetSeconds: 480,
  runs: 'in the table',
  machine: 'waiting',
  shortTests: [
    'test/journeys/database-outage.test.ts',
    'test/journeys/replica.test.ts',
    'test/platform/redis-outage.test.ts',
    'test/platform/storage-s3-silence.test.ts',
    'test/api/captions-outages.test.ts',
    'test/feeds/reddit-outages.test.ts',
  ],
  mutant: {
    file: 'src/server/platform/outage-watch.ts',
    line: 'if ((isAway || isOverdue || hasFailed) && !probing && nowMs >= nextProbeMs) void probe()',
    becomes: '',
  },
  checks: [
    ...dependencies.map((dependency): FaultCheck => ({
      machine: dependency.machine ?? 'waiting',
      load: `${dependency.name}: ${waysToFail.join(', ')}, asked ${crowd} at a time`,
      goal: `${dependency.words.join(' or ')} within ${dependency.maxMs / 1000} s, well within ${recoveryMs / 1000} s of its return`,
      run: (tools) => runOutages(tools, dependency),
    })),
    {
      load: 'SIGTERM while the database is silent',
      goal: `it ends within ${stopMs / 1000} s`,
      run: stopInSilence,
    },
    {
      load: 'a start 8 s before its database comes',
      goal: 'it waits for it',
      run: startBeforeDatabase,
    },
  ],
}

async function stageFor(
  { afterwards }: FaultTools,
  options: { withReplica?: boolean } = {},
): Promise<OutageStage> {
  const stage = await openOutageStage(options)
  afterwards(() => stage.close())
  return stage
}

async function runOutages(tools: FaultTools, dependency: Dependency): Promise<Verdict> {
  const withReplica = dependency.name === 'replica'
  if (withReplica && !systemPostgresFolder())
    return verdict('left out, as no PostgreSQL of the system is installed', {})
  const stage = await stageFor(tools, { withReplica })
  const service = await stage.launch({ RATE_LIMIT_PUBLIC: '100000/900' })
  await service.ready()
  const ana = await registerCaller(service.url, 'ana')
  await grantCredits(service.url, ana, 100_000)
  const place = { filePath: await upload(ana) }
  const proxy = stage[dependency.name]
  assert.ok(proxy, `${dependency.name} is not on the stage`)
  const before = await dependency.ask(ana, place)
  assert.ok([200, 302].includes(before.status), `it was not well before: ${JSON.stringify(before)}`)
  // After a start the service still compiles its code, and the machine may be slow. So the run also
  // prints the times of the same crowd without a fault.
  const usual: Timed[] = []
  for (let round = 0; round < warmUpRounds; round += 1)
    usual.push(...(await askAtOnce(() => dependency.ask(ana, place))))
  tools.say(`before: ${summary(usual.slice(-crowd))}`)
  const held: Record<string, boolean> = {}
  const figures: string[] = []
  for (const way of waysToFail) {
    if (withReplica) await untilReplicaAnswers(ana)
    const balance = await balanceOf(ana)
    proxy.fail(way)
    const { answers, others } = await askWithout(ana, place, dependency, way)
    if (dependency.name === 'captions')
      held[`${way}: something was charged for nothing`] = await isPaidExactly(ana, balance, answers)
    const resumedMs = performance.now()
    proxy.resume()
    const backMs = await msUntil(resumedMs, async () => {
      const again = await askAtOnce(() => dependency.ask(ana, place))
      return again.every(({ status }) => status === before.status)
    })
    tools.say(`${way}: ${summary(answers)}; well again after ${backMs} ms`)
    figures.push(`${way} ${slowestMs(answers)}/${backMs} ms`)
    held[`${way}: an answer took too long`] = slowestMs(answers) <= dependency.maxMs
    held[`${way}: an answer was in no word of the contract`] = answers.every(({ status }) =>
      dependency.words.includes(status),
    )
    held[`${way}: it was not well in time`] = backMs <= recoveryMs
    if (dependency.untouched) {
      tools.say(`  meanwhile: ${summary(others)}`)
      held[`${way}: something else was held up`] =
        others.every(({ status }) => status === 200) && slowestMs(others) <= refusalMs
    }
  }
  return verdict(
    `slowest answer/recovery: ${figures.join(', ')}; unbroken ${slowestMs(usual.slice(-crowd))} ms`,
    held,
  )
}

/** Waits until the replica answers. The outage of an unused replica would have no effect. */
async function untilReplicaAnswers(ana: Caller): Promise<void> {
  const answered = async () => {
    const { body } = await ana('/metrics')
    return Number(/public_reads_total\{place="replica"\} (\d+)/.exec(String(body))?.[1] ?? 0)
  }
  const before = await answered()
  const ms = await msUntil(performance.now(), async () => {
    await ana('/api/site', { headers: { cookie: '' } })
    return (await answered()) > before
  })
  assert.ok(ms < Infinity, 'the replica was never read from')
}

async function askWithout(ana: Caller, place: Place, dependency: Dependency, way: Failing) {
  const answers: Timed[] = []
  const others: Timed[] = []
  const rounds = dependency.maxMs > 10_000 ? 1 : roundsWithout
  for (let round = 0; round < rounds; round += 1) {
    const asking = askAtOnce(() => dependency.ask(ana, place))
    if (dependency.untouched) others.push(...(await askAtOnce(() => account(ana))))
    answers.push(...(await asking))
    // A silent outage is noticed only after a while. Later rounds find a node that has noticed it.
    if (way === 'silent') await sleep(500)
  }
  return { answers, others }
}

/** Waits until credits were taken for the delivered texts and for nothing else. */
async function isPaidExactly(ana: Caller, before: number, answers: readonly Timed[]) {
  const texts = answers.filter(({ status }) => status === 200).length
  const isSettled = async () => before - (await balanceOf(ana)) === texts * rewritePrice
  return Number.isFinite(await msUntil(performance.now(), isSettled, recoveryMs))
}

async function stopInSilence(tools: FaultTools): Promise<Verdict> {
  const stage = await stageFor(tools)
  const service = await stage.launch()
  await service.ready()
  const ana = await registerCaller(service.url, 'ana')
  stage.database.silence()
  const hanging = ana('/api/auth/user')
  await sleep(300)
  const beganMs = performance.now()
  const outcome = await service.stop().catch(() => null)
  const ms = Math.round(performance.now() - beganMs)
  tools.say(`a request that hung meanwhile: ${summary([await hanging])}`)
  return verdict(outcome ? `ended with ${outcome.code} after ${ms} ms` : 'did not end', {
    'the process did not end in time': outcome !== null && ms <= stopMs,
  })
}

async function startBeforeDatabase(tools: FaultTools): Promise<Verdict> {
  const stage = await stageFor(tools)
  stage.database.silence()
  const beganMs = performance.now()
  const service = await stage.launch()
  for (let n = 0; n < 600 && stage.database.connections === 0; n += 1) await sleep(100)
  await sleep(8000)
  stage.database.resume()
  const isUp = await service.ready().then(
    () => true,
    () => false,
  )
  const ms = Math.round(performance.now() - beganMs)
  return verdict(`${isUp ? 'up' : 'gave up'} after ${ms} ms`, { 'it did not start': isUp })
}

function askAtOnce(ask: () => Promise<Timed>): Promise<Timed[]> {
  return Promise.all(Array.from({ length: crowd }, ask))
}

async function msUntil(sinceMs: number, isSo: () => Promise<boolean>, maxMs = 30_000) {
  while (performance.now() - sinceMs < maxMs) {
    if (await isSo()) return Math.round(performance.now() - sinceMs)
    await sleep(100)
  }
  return Infinity
}

function jsonBody(body: object) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

async function balanceOf(caller: Caller): Promise<number> {
  const { body } = await caller('/api/credits/balance')
  return (body as { balance: number }).balance
}

/** Uploads a picture, and returns the path at which it is served. */
async function upload(caller: Caller): Promise<string> {
  const background = { r: 90, g: 40, b: 20, alpha: 1 }
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 4, background } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }))
  const { status, body } = await caller('/api/media/upload', { method: 'POST', body: form })
  assert.equal(status, 200, JSON.stringify(body))
  const { pathname, search } = new URL((body as { fileUrl: string }).fileUrl, 'http://here')
  return `${pathname}${search}`
}
