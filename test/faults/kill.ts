/**
 * kill -9 while the service makes its database, while it starts, and while clients write: the next
 * start needs no hand, and nothing that a client was told is lost. A killed worker's job runs again.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FaultEngine, Home } from '../support/fault-engine.ts'
import { faultEngines } from '../support/fault-engine.ts'
import type { Fault, FaultTools, Random } from '../support/fault.ts'
import type { Sediment } from '../support/sediment.ts'
import { readSediment } from '../support/sediment.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { endServices, launchService, startService } from '../support/service-process.ts'
import type { Journal } from '../support/write-journal.ts'
import {
  checkJournal,
  createJournal,
  expectName,
  writeUntilGone,
} from '../support/write-journal.ts'

// Twenty repetitions: more of them during starts, where more can go wrong.
const births = 8
const starts = 5
const writes = 7
const writingClients = 4
const mostWrites = 200

export const faults: readonly Fault[] = (['embedded', 'postgres'] as const).flatMap((name) => [
  {
    promise: `${name}: ${births + starts + writes} times kill -9 loses no acknowledged write and needs no repair`,
    run: (tools) => withEngine(name, (engine) => killOverAndOver(engine, tools)),
  },
  {
    promise: `${name}: the job of a killed worker is run by the next process`,
    run: (tools) => withEngine(name, (engine) => killWorker(engine, tools)),
  },
])

async function withEngine(
  name: keyof typeof faultEngines,
  work: (engine: FaultEngine) => Promise<void>,
): Promise<void> {
  const engine = await faultEngines[name]()
  try {
    await work(engine)
  } finally {
    await endServices()
    await engine.close()
  }
}

async function killOverAndOver(engine: FaultEngine, { random, say }: FaultTools): Promise<void> {
  const home = await engine.newHome()
  const birth = await watchBirth(home)
  say(
    `a first start takes ${Math.round(birth.readyMs)} ms, from ${Math.round(birth.begunMs)} ms on in the database, which grows to ${birth.growth}`,
  )
  for (let repetition = 1; repetition <= births; repetition += 1) {
    const newborn = await engine.newHome()
    const kills: string[] = []
    // Every moment has its turn to be the first; up to two more kills come at random ones.
    const first = birthMoments[repetition % birthMoments.length]
    for (let rest = random.between(0, 2), moment = first; rest >= 0 && moment; rest -= 1) {
      kills.push(await killInBirth(newborn, random, birth, moment))
      moment = birthMoments[random.between(0, birthMoments.length - 1)]
    }
    await startAndCheck(newborn, createJournal(), 'none')
    say(`birth ${repetition}: killed ${kills.join(', ')}; came up`)
    await newborn.remove()
  }
  const journal = createJournal()
  let last = await startAndCheck(home, journal, 'none')
  for (const [index, moment] of shuffledMoments(random).entries()) {
    const label = `r${index}`
    const before = journal.writes
    if (moment === 'start') await killInStart(home, random, last.startMs)
    else await killInWrites(home, random, journal, label)
    const found = await startAndCheck(home, journal, label)
    assert.deepEqual(found.migrations, last.migrations, 'a migration ran again')
    last = found
    say(
      `${moment} ${index + 1}: killed after ${journal.writes - before} acknowledged writes, all there`,
    )
  }
  say(`${journal.writes} acknowledged writes on ${journal.entries.size} accounts, all there`)
  await home.remove()
}

type Birth = { readonly begunMs: number; readonly readyMs: number; readonly growth: number }

/** How a start on an empty database goes: when it touches it, when it is ready, how far it grows. */
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
  const enough = journal.writes + random.between(1, mostWrites)
  const writing = writeUntilGone(service.url, journal, { clients: writingClients, label })
  await Promise.race([writing, until(() => !service.isRunning || journal.writes >= enough)])
  await killAlive(service)
  await writing
}

/** It must be killed by us and not have ended by itself, which would be a start that failed. */
async function killAlive(service: ServiceProcess): Promise<void> {
  const { signal } = await service.kill()
  assert.equal(signal, 'SIGKILL', `it ended by itself:\n${service.stdout}${service.stderr}`)
}

/** Comes up by itself, tells clients what it told them before, and is sound when it is opened. */
async function startAndCheck(
  home: Home,
  journal: Journal,
  label: string,
): Promise<Sediment & { startMs: number }> {
  const launchedMs = performance.now()
  const service = await startService(home.settings, home)
  const startMs = performance.now() - launchedMs
  await checkJournal(service.url, journal, label)
  const { code } = await service.stop()
  assert.equal(code, 0, service.stderr)
  const sediment = await readSediment(home)
  for (const [email, entry] of journal.entries) {
    expectName(email, entry, sediment.names.get(email) ?? null)
  }
  return { ...sediment, startMs }
}

function untilGrown(home: Home, service: ServiceProcess, growth: number): Promise<void> {
  return until(async () => isUp(service) || (await home.growth()) >= growth, { pauseMs: 2 })
}

/** Whether the moment to wait for is over, in whatever way. */
function isUp(service: ServiceProcess): boolean {
  return service.url !== '' || !service.isRunning
}

/** Asks without a pause where a moment is short. */
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

/** The remaining repetitions in a random order. */
function shuffledMoments(random: Random): ('start' | 'writes')[] {
  const moments = Array.from({ length: starts + writes }, (_, index) => ({
    moment: index < starts ? ('start' as const) : ('writes' as const),
    rank: random.fraction(),
  }))
  return moments.toSorted((a, b) => a.rank - b.rank).map(({ moment }) => moment)
}

async function killWorker(engine: FaultEngine, { say }: FaultTools): Promise<void> {
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
  assert.deepEqual(lines(), ['begun', 'begun', 'done'])
  say(`ran again ${Math.round((performance.now() - killedMs) / 1000)} s after the kill`)
  await home.remove()
}
