/** One benchmark from its empty database to its findings. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import { migrate } from '../../src/server/database/migrations.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import type { PostgresServer } from '../../test/support/postgres-server.ts'
import type { Benchmark, TimedRequest } from './benchmark.ts'
import type { Contender } from './contenders.ts'
import { contenderNames, startContender } from './contenders.ts'
import { refuseUnequal } from './equality.ts'
import type { Finding } from './report.ts'
import { findingOf } from './report.ts'
import { timeRounds } from './timing.ts'

export type RunOptions = {
  readonly rounds: number
  readonly seconds: number
  /** The only request that is timed; left out: all of them. */
  readonly only: string | undefined
  readonly progress: (text: string) => void
}

export async function runBenchmark(
  postgres: PostgresServer,
  name: string,
  options: RunOptions,
): Promise<Finding[]> {
  const benchmark = await readBenchmark(name, options.only)
  options.progress(`${name}: seeding\n`)
  const databaseUrl = await prepareDatabase(postgres, `bench_${name}`, benchmark)
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-bench-'))
  const contenders: Contender[] = []
  try {
    await benchmark.place?.(folder)
    for (const contenderName of contenderNames) {
      contenders.push(await startContender(contenderName, { databaseUrl, folder }, benchmark.ours))
    }
    for (const request of benchmark.requests) await refuseUnequal(contenders, request)
    options.progress(`${name}: all contenders answer alike\n`)
    return await timeAll(contenders, name, { benchmark, databaseUrl }, { ...options, folder })
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

async function timeAll(
  contenders: readonly Contender[],
  name: string,
  { benchmark, databaseUrl }: { benchmark: Benchmark; databaseUrl: string },
  options: RunOptions & { folder: string },
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const request of benchmark.requests) {
    await prepareRequest(databaseUrl, request)
    const what = {
      benchmark: name,
      request: request.name,
      connections: request.connections,
      secondsPerRound: Math.max(options.seconds, request.leastSeconds ?? 0),
    }
    // The warm-up has filled tables that were empty when their statements were planned.
    const onWarm = () => changeRows(databaseUrl, async () => {})
    findings.push(findingOf(what, await timeRounds(contenders, request, { ...options, onWarm })))
  }
  return findings
}

async function prepareDatabase(
  postgres: PostgresServer,
  name: string,
  benchmark: Benchmark,
): Promise<string> {
  await postgres.administer(`create database ${name}`)
  const url = postgres.urlOf(name)
  await changeRows(url, async (database) => {
    await migrate(database)
    await database.runScripts((scripts) => benchmark.seed(scripts))
  })
  return url
}

async function prepareRequest(databaseUrl: string, { prepare }: TimedRequest): Promise<void> {
  if (prepare) await changeRows(databaseUrl, (database) => database.runScripts(prepare))
}

async function changeRows(
  databaseUrl: string,
  change: (database: DatabaseHandle) => Promise<void>,
): Promise<void> {
  const database = await connectToServer(databaseUrl)
  try {
    await change(database)
    // Now, rather than by themselves in the middle of someone's round.
    await sql`vacuum analyze`.execute(database.db)
    await sql`checkpoint`.execute(database.db)
  } finally {
    await database.close()
  }
}

async function readBenchmark(name: string, only: string | undefined): Promise<Benchmark> {
  // What stands in that folder exports a benchmark, which the compiler holds each file to.
  const { benchmark } = (await import(`../benchmarks/${name}.ts`)) as { benchmark: Benchmark }
  if (only === undefined) return benchmark
  const requests = benchmark.requests.filter((request) => request.name === only)
  if (requests.length === 0) throw new Error(`${name} has no request “${only}”`)
  return { ...benchmark, requests }
}
