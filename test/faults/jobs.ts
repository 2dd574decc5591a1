/**
 * Ten thousand jobs, with a worker that is killed again and again. Then ten thousand pictures that two
 * workers share.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { launchService } from '../support/service-process.ts'

const jobCount = 10_000
const killEveryMs = 2000
const maxReclaimMs = 60_000
const fewestKills = 2
const startMs = 180_000
const maxSharedMs = 240_000
const smallestShare = 0.25

export const row: FaultRow = {
  budgetSeconds: 900,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/jobs.test.ts', 'test/api/job-fairness.test.ts'],
  mutant: {
    file: 'src/server/jobs/queue.ts',
    line: 'const heartbeatSeconds = 20',
    becomes: 'const heartbeatSeconds = 600',
  },
  checks: [
    {
      load: `${jobCount} jobs, the worker killed every ${killEveryMs / 1000} s`,
      goal: `each effect once, what was stuck is done within ${maxReclaimMs / 1000} s`,
      run: workAndKill,
    },
    {
      load: `${jobCount} pictures to make, two workers`,
      goal: `each made once, at least ${100 * smallestShare} % of them by each worker`,
      run: shareWork,
    },
  ],
}

async function workAndKill(tools: FaultTools): Promise<Verdict> {
  const { promised, launch, count } = await openQueue(tools)
  let worker = await launch({ PROMISE: String(promised) })
  const done = () => count('(select count(*) from counted)')
  const waiting = () =>
    count(`(select count(*) from pgboss.job where name = 'count-up' and state < 'active')`)
  let kills = 0
  while ((await waiting()) > 0 || kills < fewestKills) {
    await sleep(killEveryMs)
    await worker.kill()
    kills += 1
    worker = await launch()
    if (kills % 5 === 0) tools.say(`after ${kills} kills: ${await done()} of ${promised}`)
  }
  const lastKillMs = performance.now()
  while ((await done()) < promised && performance.now() - lastKillMs < 2 * maxReclaimMs)
    await sleep(200)
  const reclaimMs = Math.round(performance.now() - lastKillMs)
  const [effects, runs] = [await done(), await count('(select count(*) from runs)')]
  const dead = await count(`(select count(*) from pgboss.job where name = 'dead-letters')`)
  return verdict(
    `${effects} of ${promised} done in ${runs} runs, ${kills} kills, the last ${reclaimMs} ms after the last kill`,
    {
      'an effect is missing': effects === promised,
      'a job was given up': dead === 0,
      'what was stuck was taken up too late': reclaimMs <= maxReclaimMs,
      'nothing was run again': runs > effects,
    },
  )
}

async function shareWork(tools: FaultTools): Promise<Verdict> {
  const { promised, launch, count } = await openQueue(tools)
  await (await launch({ PROMISE: String(promised), WORK: 'none' })).stop()
  const beganMs = performance.now()
  const launchOne = () => launch({ WORK: 'picture' })
  const workers = await Promise.all([launchOne(), launchOne()])
  const runs = () => count('(select count(*) from runs)')
  while ((await runs()) < promised && performance.now() - beganMs < maxSharedMs) await sleep(200)
  const seconds = (performance.now() - beganMs) / 1000
  // Wait: a second run of a job would follow its first.
  await sleep(1000)
  const shares = await Promise.all(
    workers.map(({ pid }) => count(`(select count(*) from runs where worker = ${pid})`)),
  )
  const [effects, all] = [await count('(select count(*) from counted)'), await runs()]
  return verdict(
    `${effects} of ${promised} made in ${all} runs, ${shares.join(' and ')} by each, in ${seconds.toFixed(1)} s`,
    {
      'a picture is missing': effects === promised,
      'a picture was made twice': all === effects,
      'one worker did nearly all': Math.min(...shares) >= smallestShare * promised,
    },
  )
}

/** Opens an empty queue with functions to launch workers and to read their results. */
async function openQueue(tools: FaultTools) {
  const home = await newServerHome(tools)
  const database = new Client({ connectionString: home.databaseUrl })
  await database.connect()
  tools.afterwards(() => database.end())
  return {
    promised: Math.ceil(tools.scaled(jobCount) / 100) * 100,
    launch: async (settings: Record<string, string> = {}) => {
      const program = 'test/support/counting-worker.ts'
      const worker = await launchService({ ...home.settings, ...settings }, { ...home, program })
      await untilReady(worker)
      return worker
    },
    count: async (what: string) =>
      (await database.query<{ count: number }>(`select ${what}::int as count`)).rows[0]?.count ?? 0,
  }
}

async function untilReady(worker: ServiceProcess): Promise<void> {
  const deadlineMs = performance.now() + startMs
  while (!worker.stdout.includes('ready\n')) {
    assert.ok(worker.isRunning, `the worker ended:\n${worker.stdout}${worker.stderr}`)
    assert.ok(performance.now() < deadlineMs, 'the worker did not start')
    await sleep(20)
  }
}
