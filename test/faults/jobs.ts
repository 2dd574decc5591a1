/** Ten thousand jobs, and a worker that is killed again and again while it works on them. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { faultEngines } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { launchService } from '../support/service-process.ts'

const jobCount = 10_000
const killEveryMs = 2000
const mostReclaimMs = 60_000
const fewestKills = 2
const startMs = 180_000

export const row: FaultRow = {
  budgetSeconds: 300,
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
      goal: `each effect once, what was stuck is done within ${mostReclaimMs / 1000} s`,
      run: workAndKill,
    },
  ],
}

async function workAndKill(tools: FaultTools): Promise<Verdict> {
  const engine = await faultEngines.postgres()
  tools.afterwards(() => engine.close())
  const home = await engine.newHome()
  const promised = Math.ceil(tools.scaled(jobCount) / 100) * 100
  const launch = async (settings: Record<string, string> = {}) => {
    const program = 'test/support/counting-worker.ts'
    const worker = await launchService({ ...home.settings, ...settings }, { ...home, program })
    await untilReady(worker)
    return worker
  }
  let worker = await launch({ PROMISE: String(promised) })
  const database = new Client({ connectionString: home.databaseUrl })
  await database.connect()
  tools.afterwards(() => database.end())
  const count = async (what: string) =>
    (await database.query<{ count: number }>(`select ${what}::int as count`)).rows[0]?.count ?? 0
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
  while ((await done()) < promised && performance.now() - lastKillMs < 2 * mostReclaimMs)
    await sleep(200)
  const reclaimMs = Math.round(performance.now() - lastKillMs)
  const [effects, runs] = [await done(), await count('(select count(*) from runs)')]
  const dead = await count(`(select count(*) from pgboss.job where name = 'dead-letters')`)
  return verdict(
    `${effects} of ${promised} done in ${runs} runs, ${kills} kills, the last ${reclaimMs} ms after the last kill`,
    {
      'an effect is missing': effects === promised,
      'a job was given up': dead === 0,
      'what was stuck was taken up too late': reclaimMs <= mostReclaimMs,
      'nothing was run again': runs > effects,
    },
  )
}

async function untilReady(worker: ServiceProcess): Promise<void> {
  const deadlineMs = performance.now() + startMs
  while (!worker.stdout.includes('ready\n')) {
    assert.ok(worker.isRunning, `the worker ended:\n${worker.stdout}${worker.stderr}`)
    assert.ok(performance.now() < deadlineMs, 'the worker did not start')
    await sleep(20)
  }
}
