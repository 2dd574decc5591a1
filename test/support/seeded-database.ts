/** A seeded site in its own database, with the work of PostgreSQL for its visits. */
import { Client } from 'pg'
import { migrate } from '../../src/server/database/migrations.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { createQueue } from '../../src/server/jobs/queue.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { jobs } from '../../src/server/wiring.ts'
import type { PostgresServer } from './postgres-server.ts'
import { startPostgres } from './postgres-server.ts'
import type { SeededSite } from './read-costs.ts'
import { nameOfRead, peopleOf } from './read-costs.ts'
import type { SiteSize } from './size-rows.ts'
import { seedSite } from './size-seed.ts'
import { openSeededSite } from './size-visits.ts'
import type { Fault } from './statement-plans.ts'
import { blocksOf, collectPlans, judgePlans, tellingPlans } from './statement-plans.ts'

/** Smaller tables may be scanned completely: an index would not be faster. */
const largeFromRows = 2000

const makesParts = new Set(['job sweep-activity', 'job sweep-session-events'])

export type SeededServer = {
  readonly postgres: PostgresServer
  readonly makeSite: (
    name: string,
    size: SiteSize,
    progress?: (text: string) => void,
  ) => Promise<string>
  /** Makes every visit as one person. Returns the number of statements and those that break the rule. */
  readonly judge: (
    url: string,
    size: SiteSize,
    person?: number,
  ) => Promise<{ statements: number; faults: Fault[] }>
  /** Returns the blocks that each read uses, as the mean of some people. */
  readonly countBlocks: (site: SeededSite) => Promise<Map<string, number>>
}

export async function startSeededServer(settings: readonly string[] = []): Promise<SeededServer> {
  const plans = collectPlans()
  const postgres = await startPostgres({
    fsync: false,
    settings: [...tellingPlans, ...settings],
    onLog: plans.onLog,
  })
  return {
    postgres,
    async makeSite(name, size, progress) {
      await postgres.administer(`create database ${name}`)
      const url = postgres.urlOf(name)
      await migrateWhole(url)
      await seedSite(url, size, progress)
      return url
    },
    judge: (url, size, person = 1) =>
      whileTold(plans, { url, size }, async (client, site) => {
        const { reads, writes } = site.visitsOf(person)
        // The seed inserts rows before their partitions exist; a running site creates partitions first.
        for (const [name, sweep] of site.sweeps) if (makesParts.has(name)) await sweep()
        const told = await plans.during(client, [...reads, ...writes, ...site.sweeps])
        const faults = judgePlans(told, await largeTablesOf(client))
        return { statements: told.length, faults }
      }),
    countBlocks: (seeded) =>
      whileTold(plans, seeded, async (client, site) => {
        const counted = new Map<string, number>()
        const people = peopleOf(seeded.size)
        for (const person of people)
          for (const told of await plans.during(client, site.visitsOf(person).reads)) {
            const name = nameOfRead(told.visit)
            counted.set(name, (counted.get(name) ?? 0) + blocksOf(told) / people.length)
          }
        return counted
      }),
  }
}

/** Opens the site while PostgreSQL logs its plans. */
async function whileTold<Found>(
  plans: ReturnType<typeof collectPlans>,
  { url, size }: SeededSite,
  look: (client: Client, site: Awaited<ReturnType<typeof openSeededSite>>) => Promise<Found>,
): Promise<Found> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await plans.tell(client, true)
    const site = await openSeededSite(url, size)
    try {
      return await look(client, site)
    } finally {
      await site.close()
    }
  } finally {
    await plans.tell(client, false)
    await client.end()
  }
}

export async function migrateWhole(url: string): Promise<void> {
  const database = await connectToServer(url)
  await migrate(database)
  const queue = await createQueue(database.queueConnection, jobs, createLog('silent'))
  await queue.stop(0)
  await database.close()
}

async function largeTablesOf(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'r' and reltuples >= $1
       and relnamespace in ('public'::regnamespace, 'partitions'::regnamespace)`,
    [largeFromRows],
  )
  return new Set(rows.map(({ name }) => name))
}
