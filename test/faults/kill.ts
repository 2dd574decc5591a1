/**
 * kill -9 while the service makes its database, while it starts, and while clients write: the next
 * start needs no hand, and nothing that a client was told is lost. A killed worker's job runs again.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, FaultTools, Random } from '../support/fault.ts'
import type { FaultEngine, Home } from '../support/fault-engine.ts'
import { faultEngines } from '../support/fault-engine.ts'
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
const longestWritingMs = 2000

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
  const birth = await timeStart(home)
  const laterStart = await timeStart(home)
  const shape = `a first start takes ${Math.round(birth.readyMs)} ms, from ${Math.round(birth.begunMs)} ms on in the database; a later one ${Math.round(laterStart.readyMs)} ms`
  say(shape)
  for (let repetition = 1; repetition <= births; repetition += 1) {
    const newborn = await engine.newHome()
    const kills = await killInBirth(newborn, random, birth)
    await startAndCheck(newborn, createJournal(), '')
    say(`birth ${repetition}: killed ${kills.join(', ')}; came up`)
    await newborn.remove()
  }
  const journal = createJournal()
  let sediment = await readSediment(home)
  const proceed = async (label: string) => {
    const found = await startAndCheck(home, journal, label)
    assert.deepEqual(found.migrations, sediment.migrations, 'a migration ran again')
    sediment = found
  }
  for (const [index, moment] of shuffledMoments(random).entries()) {
    const label = `r${index}-`
    const before = journal.writes
    if (moment === 'start') await killInStart(home, random, laterStart.readyMs)
    else await killInWrites(home, random, journal, label)
    await proceed(label)
    say(
      `${moment} ${index + 1}: killed after ${journal.writes - before} acknowledged writes; all there`,
    )
  }
  assert.ok(journal.writes > 50 * writes, `only ${journal.writes} writes were acknowledged`)
  say(`${journal.writes} acknowledged writes on ${journal.entries.size} accounts, all there`)
  await home.remove()
}

/** How long a start takes until it touches an empty database, and until it is ready. */
async function timeStart(home: Home): Promise<{ begunMs: number; readyMs: number }> {
  const launchedMs = performance.now()
  const service = await launchService(home.settings, home)
  const ready = service.ready()
  await untilBegun(home, service)
  const begunMs = performance.now() - launchedMs
  await ready
  const readyMs = performance.now() - launchedMs
  await service.stop()
  return { begunMs, readyMs }
}

/** Up to three kills in the same newborn folder: at any time, or once the database is being made. */
async function killInBirth(
  home: Home,
  random: Random,
  birth: { begunMs: number; readyMs: number },
): Promise<string[]> {
  const kills: string[] = []
  for (let rest = random.between(1, 3); rest > 0; rest -= 1) {
    const service = await launchService(home.settings, home)
    if (random.fraction() < 0.3) {
      await sleep(random.between(0, birth.readyMs))
      kills.push('at any time')
    } else {
      await untilBegun(home, service)
      const afterMs = random.between(0, birth.readyMs - birth.begunMs)
      await sleep(afterMs)
      kills.push(`${afterMs} ms into the database`)
    }
    await killAlive(service)
  }
  return kills
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
  const writing = writeUntilGone(service.url, journal, { clients: writingClients, label })
  await Promise.race([sleep(random.between(50, longestWritingMs)), writing])
  await killAlive(service)
  await writing
}

/** It must be killed by us and not have ended by itself, which would be a start that failed. */
async function killAlive(service: ServiceProcess): Promise<void> {
  const { signal } = await service.kill()
  assert.equal(signal, 'SIGKILL', `it ended by itself:\n${service.stdout}${service.stderr}`)
}

async function startAndCheck(home: Home, journal: Journal, label: string): Promise<Sediment> {
  const service = await startService(home.settings, home)
  if (label !== '') await checkJournal(service.url, journal, label)
  const { code } = await service.stop()
  assert.equal(code, 0, service.stderr)
  const sediment = await readSediment(home)
  for (const [email, entry] of journal.entries) {
    expectName(email, entry, sediment.names.get(email) ?? null)
  }
  return sediment
}

async function untilBegun(home: Home, service: ServiceProcess): Promise<void> {
  while (service.isRunning && !(await home.hasBegun())) await sleep(2)
}

/** The remaining repetitions in a random order. */
function shuffledMoments(random: Random): ('start' | 'writes')[] {
  const moments = [...Array(starts).fill('start'), ...Array(writes).fill('writes')]
  return moments
    .map((moment) => ({ moment, rank: random.fraction() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ moment }) => moment)
}

async function killWorker(engine: FaultEngine, { say }: FaultTools): Promise<void> {
  const home = await engine.newHome()
  const hold = join(home.folder, 'hold')
  const log = join(home.folder, 'lines')
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [])
  const until = async (line: string) => {
    for (let waited = 0; !lines().includes(line); waited += 1) {
      assert.ok(waited < 1200, `no '${line}' within two minutes, but ${lines().join()}`)
      await sleep(100)
    }
  }
  const program = 'test/support/lingering-worker.ts'
  await writeFile(hold, '')
  const first = await launchService({ ...home.settings, ENQUEUE: 'yes' }, { ...home, program })
  await until('begun')
  await killAlive(first)
  await rm(hold)
  const killedMs = performance.now()
  const second = await launchService(home.settings, { ...home, program })
  await until('done')
  await killAlive(second)
  assert.deepEqual(lines(), ['begun', 'begun', 'done'])
  say(`ran again ${Math.round((performance.now() - killedMs) / 1000)} s after the kill`)
  await home.remove()
}
