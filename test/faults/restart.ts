/**
 * kill -9 while the service creates its database, while it starts, and while clients write. The next
 * start needs no manual step, and no acknowledged write is lost. The job of a killed worker runs again.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FaultEngine, Home } from '../support/fault-engine.ts'
import { faultEngines } from '../support/fault-engine.ts'
import type { FaultCheck, FaultRow, FaultTools, Random, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { DatabaseState } from '../support/database-invariants.ts'
import { readDatabaseState } from '../support/database-invariants.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { launchService, startService } from '../support/service-process.ts'
import type { Journal } from '../support/write-journal.ts'
import {
  checkJournal,
  createJournal,
  expectName,
  writeUntilGone,
} from '../support/write-journal.ts'

// More during starts, where more can go wrong.
const births = 2
const starts = 2
const writes = 3
const maxStartMs = 3000
const writingClients = 4
const maxWrites = 200

const engineNames = ['embedded', 'postgres'] as const

export const row: FaultRow = {
  budgetSeconds: 420,
  runs: 'in the table',
  shortTests: ['test/server/stop.test.ts', 'test/api/jobs.test.ts'],
  mutant: {
    file: 'src/server/database/embedded.ts',
    line: "writeFileSync(mark, '')",
    becomes: '',
  },
  checks: [
    ...engineNames.map((name): FaultCheck => ({
      load: `${name}: kill -9 while the database is made`,
      goal: 'no start needs a repair',
      machine: 'shared',
      run: async (tools) => killInBirths(await engineFor(name, tools), tools),
    })),
    ...engineNames.map((name): FaultCheck => ({
      load: `${name}: kill -9 at starts and writes`,
      goal: `no acknowledged write is lost, no start needs a repair, ready within ${maxStartMs / 1000} s`,
      run: async (tools) => killOverAndOver(await engineFor(name, tools), tools),
    })),
    {
      load: 'kill -9 of a worker, both engines',
      goal: 'its job is run once more, by the next process',
      machine: 'waiting',
      run: killWorkers,
    },
  ],
}

/** Runs both engines at the same time: both only wait until a heartbeat is missed. */
async function killWorkers(tools: FaultTools): Promise<Verdict> {
  const seconds = await Promise.all(
    engineNames.map(async (name) => killWorker(await engineFor(name, tools))),
  )
  const words = engineNames.map((name, index) => `${name} ${seconds[index] ?? 'not'}`)
  return verdict(`seconds from the kill to the end of the second run: ${words.join(', ')}`, {
    'a job did not run once more': seconds.every((found) => found !== null),
  })
}

async function engineFor(
  name: keyof typeof faultEngines,
  { afterwards }: FaultTools,
): Promise<FaultEngine> {
  const engine = await faultEngines[name]()
  afterwards(() => engine.close())
  return engine
}

async function killInBirths(
  engine: FaultEngine,
  { random, say, scaled }: FaultTools,
): Promise<Verdict> {
  const firstborn = await engine.newHome()
  const birth = await watchBirth(firstborn)
  await firstborn.remove()
  say(
    `a first start takes ${Math.round(birth.readyMs)} ms, from ${Math.round(birth.begunMs)} ms on in the database, which grows to ${birth.growth}`,
  )
  let killed = 0
  const repetitions = scaled(births)
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    const newborn = await engine.newHome()
    const kills: string[] = []
    // Each moment is the first in turn. Up to two more kills follow at random moments.
    const first = birthMoments[repetition % birthMoments.length]
    for (let rest = random.between(0, 2), moment = first; rest >= 0 && moment; rest -= 1) {
      kills.push(await killInBirth(newborn, random, birth, moment))
      moment = birthMoments[random.between(0, birthMoments.length - 1)]
    }
    await startAndCheck(newborn, createJournal(), 'none')
    killed += kills.length
    say(`birth ${repetition}: killed ${kills.join(', ')}; came up`)
    await newborn.remove()
  }
  return verdict(`${killed} kills in ${repetitions} births, each came up`, {
    'nothing was killed': killed > 0,
  })
}

async function killOverAndOver(
  engine: FaultEngine,
  { random, say, scaled }: FaultTools,
): Promise<Verdict> {
  const home = await engine.newHome()
  await (await startService(home.settings, home)).stop()
  const journal = createJournal()
  const clean = await startAndCheck(home, journal, 'none')
  let last = clean
  let slowestMs = 0
  for (const [index, moment] of shuffledMoments(random, scaled).entries()) {
    const label = `r${index}`
    const before = journal.writes
    if (moment === 'start') await killInStart(home, random, last.startMs)
    else await killInWrites(home, random, journal, label)
    const found = await startAndCheck(home, journal, label)
    assert.deepEqual(found.migrations, last.migrations, 'a migration ran again')
    last = found
    slowestMs = Math.max(slowestMs, found.startMs)
    say(
      `${moment} ${index + 1}: killed after ${journal.writes - before} acknowledged writes, all there; ready after ${Math.round(found.startMs)} ms`,
    )
  }
  await home.remove()
  return verdict(
    `${journal.writes} acknowledged writes, all there; ready after ${Math.round(slowestMs)} ms at most, ${Math.round(clean.startMs)} ms after a clean stop`,
    { 'a start took too long': slowestMs <= maxStartMs },
  )
}

type Birth = { readonly begunMs: number; readonly readyMs: number; readonly growth: number }

/**
 * Measures a start on an empty database: when it first writes, when it is ready, and how far the folder
 * grows.
 */
async function watchBirth(home: Home): Promise<Birth> {
  const launchedMs = performance.now()
  const service = await launchService(home.settings, home)
  await untilGrown(home, service, 1)
  const begunMs = performance.now() - launchedMs
  await service.ready()
  const readyMs = performance.now() - launchedMs
  const growth = await home.growth()
  await service.stop()
  return { begunMs, readyMs, growth }
}

const birthMoments = ['as soon as whole', 'half grown', 'after begun', 'any time'] as const

async function killInBirth(
  home: Home,
  random: Random,
  birth: Birth,
  moment: (typeof birthMoments)[number],
): Promise<string> {
  const launchedMs = performance.now()
  const service = await launchService(home.settings, home)
  if (moment === 'any time') await sleep(random.between(0, birth.readyMs))
  else if (moment === 'half grown') await untilGrown(home, service, random.between(1, birth.growth))
  else {
    await untilGrown(home, service, 1)
    if (moment === 'as soon as whole') await until(() => isUp(service) || home.looksWhole())
    else await sleep(random.between(0, birth.readyMs - birth.begunMs))
  }
  await killAlive(service)
  return `${moment} (${Math.round(performance.now() - launchedMs)} ms, at ${await home.growth()})`
}

async function killInStart(home: Home, random: Random, startMs: number): Promise<void> {
  const service = await launchService(home.settings, home)
  await sleep(random.between(0, startMs))
  await killAlive(service)
}

async function killInWrites(
  home: Home,
  random: Random,
  journal: Journal,
  label: string,
): Promise<void> {
  const service = await startService(home.settings, home)
  const enough = journal.writes + random.between(1, maxWrites)
  const writing = writeUntilGone(service.url, journal, { clients: writingClients, label })
  await Promise.race([writing, until(() => !service.isRunning || journal.writes >= enough)])
  await killAlive(service)
  await writing
}

/** Kills a running service. One that ended by itself would be a failed start. */
async function killAlive(service: ServiceProcess): Promise<void> {
  const { signal } = await service.kill()
  assert.equal(signal, 'SIGKILL', `it ended by itself:\n${service.stdout}${service.stderr}`)
}

/** Starts the service again, compares it with the journal, and checks the database. */
async function startAndCheck(
  home: Home,
  journal: Journal,
  label: string,
): Promise<DatabaseState & { startMs: number }> {
  const launchedMs = performance.now()
  const service = await startService(home.settings, home)
  const startMs = performance.now() - launchedMs
  await checkJournal(service.url, journal, label)
  const { code } = await service.stop()
  assert.equal(code, 0, service.stderr)
  const sediment = await readDatabaseState(home)
  for (const [email, entry] of journal.entries) {
    expectName(email, entry, sediment.names.get(email) ?? null)
  }
  return { ...sediment, startMs }
}

function untilGrown(home: Home, service: ServiceProcess, growth: number): Promise<void> {
  return until(async () => isUp(service) || (await home.growth()) >= growth, { pauseMs: 2 })
}

/** True when the service is ready or has ended. */
function isUp(service: ServiceProcess): boolean {
  return service.url !== '' || !service.isRunning
}

/** Polls without a pause by default, for short moments. */
async function until(
  isSo: () => boolean | Promise<boolean>,
  options: { pauseMs?: number } = {},
): Promise<void> {
  const deadlineMs = performance.now() + 120_000
  while (!(await isSo())) {
    assert.ok(performance.now() < deadlineMs, 'waited two minutes')
    await (options.pauseMs ? sleep(options.pauseMs) : setImmediate())
  }
}

/** Returns the remaining repetitions in random order. */
function shuffledMoments(random: Random, scaled: FaultTools['scaled']): ('start' | 'writes')[] {
  const moments = Array.from({ length: scaled(starts) + scaled(writes) }, (_, index) => ({
    moment: index < scaled(starts) ? ('start' as const) : ('writes' as const),
    rank: random.fraction(),
  }))
  return moments.toSorted((a, b) => a.rank - b.rank).map(({ moment }) => moment)
}

/**
 * Returns the seconds from the kill to the end of the second run, or null if the job ran a different
 * number of times.
 */
async function killWorker(engine: FaultEngine): Promise<number | null> {
  const home = await engine.newHome()
  const hold = join(home.folder, 'hold')
  const log = join(home.folder, 'lines')
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [])
  const untilLine = (line: string) => until(() => lines().includes(line), { pauseMs: 50 })
  const program = fileURLToPath(import.meta.resolve('../support/lingering-worker.ts'))
  await writeFile(hold, '')
  const first = await launchService({ ...home.settings, ENQUEUE: 'yes' }, { ...home, program })
  await untilLine('begun')
  await killAlive(first)
  await rm(hold)
  const killedMs = performance.now()
  const second = await launchService(home.settings, { ...home, program })
  await untilLine('done')
  await killAlive(second)
  const seconds = Math.round((performance.now() - killedMs) / 1000)
  const isOnce = lines().join() === 'begun,begun,done'
  await home.remove()
  return isOnce ? seconds : null
}
