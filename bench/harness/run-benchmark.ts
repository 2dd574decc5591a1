/** Runs one benchmark, from its empty database to its results. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Scripts } from '../../src/server/database/database.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { reasonOf } from '../../src/server/platform/start-error.ts'
import type { Benchmark, TimedRequest } from './benchmark.ts'
import type { Contender, ContenderName, Place } from './contenders.ts'
import { startContender, startOthers } from './contenders.ts'
import type { Databases } from './databases.ts'
import { differenceFromOurs } from './equality.ts'
import type { Notes } from './journal.ts'
import { findingOf } from './report.ts'
import type { Scale } from './scale.ts'
import { timeRounds } from './timing.ts'

export type RunOptions = {
  readonly rounds: number
  readonly seconds: number
  /** The only request to time. Default: all. */
  readonly only: string | undefined
  readonly scale: Scale
  /** Contenders that cannot run here, with the reasons. */
  readonly missing: ReadonlyMap<ContenderName, string>
  readonly progress: (text: string) => void
}

export async function runBenchmark(
  databases: Databases,
  name: string,
  options: RunOptions,
  notes: Notes,
): Promise<void> {
  const benchmark = await readBenchmark(name, options)
  options.progress(`${name}: seeding\n`)
  const databaseUrl = await databases.create(`bench_${name}`)
  const place = { databaseUrl, folder: await mkdtemp(join(tmpdir(), 'lanternist-bench-')) }
  const contenders: Contender[] = []
  try {
    await changeRows(place, options.scale, benchmark.seed)
    await benchmark.place?.(place.folder)
    const ours = await startContender('ours', place, benchmark.ours)
    contenders.push(ours)
    contenders.push(...(await startOthers(place, options.missing, notes)))
    for (const request of benchmark.requests) {
      try {
        if (request.prepare) await changeRows(place, options.scale, request.prepare)
        const alike = await thoseAlike(ours, contenders, request, notes)
        await timeRequest(alike, request, { ...options, ...place, name }, notes)
      } catch (error) {
        notes.failed(`${request.name}: ${reasonOf(error)}`)
      }
    }
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()))
    await rm(place.folder, { recursive: true, force: true })
  }
}

/** Returns ours and the contenders with the same answers. The others are recorded and not timed. */
async function thoseAlike(
  ours: Contender,
  contenders: readonly Contender[],
  request: TimedRequest,
  notes: Notes,
): Promise<Contender[]> {
  const alike: Contender[] = []
  for (const contender of contenders) {
    const difference =
      contender === ours ? null : await differenceFromOurs(ours, contender, request)
    if (difference === null) alike.push(contender)
    else
      notes.failed(
        `${request.name}: ${contender.name} cannot be compared, as it does not answer as ours does: ${difference}`,
      )
  }
  return alike
}

async function timeRequest(
  contenders: readonly Contender[],
  request: TimedRequest,
  options: RunOptions & Place & { name: string },
  notes: Notes,
): Promise<void> {
  const { name, scale } = options
  const seconds = scale(Math.max(options.seconds, request.minSeconds ?? 0), options.seconds)
  const what = {
    benchmark: name,
    request: request.name,
    connections: request.connections,
    secondsPerRound: seconds,
  }
  // The warm-up has filled tables that were empty when their statements were planned.
  const onWarm = () => changeRows(options, scale, async () => {})
  const timing = { ...options, seconds, isWarmedUp: scale(true, false), onWarm }
  notes.found(findingOf(what, await timeRounds(contenders, request, timing)))
}

async function changeRows(
  { databaseUrl }: Place,
  scale: Scale,
  change: (scripts: Scripts) => Promise<void>,
): Promise<void> {
  const database = await connectToServer(databaseUrl)
  try {
    await database.runScripts(change)
    if (scale(false, true)) return
    // Now, so that they do not run by themselves during a round.
    await sql`vacuum analyze`.execute(database.db)
    await sql`checkpoint`.execute(database.db)
  } finally {
    await database.close()
  }
}

async function readBenchmark(name: string, { only, scale }: RunOptions): Promise<Benchmark> {
  // Every file in that folder exports a benchmark, which the compiler checks.
  const file = (await import(`../benchmarks/${name}.ts`)) as {
    benchmark: (scale: Scale) => Benchmark
  }
  const benchmark = file.benchmark(scale)
  if (only === undefined) return benchmark
  const requests = benchmark.requests.filter((request) => request.name === only)
  if (requests.length === 0) throw new Error(`${name} has no request “${only}”`)
  return { ...benchmark, requests }
}
