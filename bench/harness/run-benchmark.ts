/** One benchmark from its empty database to its findings. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connectToServer } from '../../src/server/platform/database-server.ts'
import { migrate } from '../../src/server/platform/migrations.ts'
import type { PostgresServer } from '../../test/support/postgres-server.ts'
import type { Benchmark } from './benchmark.ts'
import type { Contender } from './contenders.ts'
import { contenderNames, startContender } from './contenders.ts'
import { refuseUnequal } from './equality.ts'
import type { Finding } from './report.ts'
import { findingOf } from './report.ts'
import { timeRounds } from './timing.ts'

export type RunOptions = {
  readonly rounds: number
  readonly seconds: number
  readonly progress: (text: string) => void
}

export async function runBenchmark(
  postgres: PostgresServer,
  name: string,
  options: RunOptions,
): Promise<Finding[]> {
  const benchmark = await readBenchmark(name)
  options.progress(`${name}: seeding\n`)
  const databaseUrl = await prepareDatabase(postgres, `bench_${name}`, benchmark)
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-bench-'))
  const contenders: Contender[] = []
  try {
    for (const contenderName of contenderNames) {
      contenders.push(await startContender(contenderName, { databaseUrl, folder }, benchmark.ours))
    }
    for (const request of benchmark.requests) await refuseUnequal(contenders, request)
    options.progress(`${name}: all contenders answer alike\n`)
    return await timeAll(contenders, name, benchmark, options)
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

async function timeAll(
  contenders: readonly Contender[],
  name: string,
  benchmark: Benchmark,
  options: RunOptions,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const request of benchmark.requests) {
    const what = {
      benchmark: name,
      request: request.name,
      connections: request.connections,
      secondsPerRound: options.seconds,
    }
    findings.push(findingOf(what, await timeRounds(contenders, request, options)))
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
  const database = await connectToServer(url)
  try {
    await migrate(database)
    await database.runScripts((scripts) => benchmark.seed(scripts))
    // Now, rather than by itself in the middle of someone's round.
    await sql`vacuum analyze`.execute(database.db)
  } finally {
    await database.close()
  }
  return url
}

async function readBenchmark(name: string): Promise<Benchmark> {
  // What stands in that folder exports a benchmark, which the compiler holds each file to.
  const module = (await import(`../benchmarks/${name}.ts`)) as { benchmark: Benchmark }
  return module.benchmark
}
