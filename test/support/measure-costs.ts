/** A set-up file of `npm run test:profile`: records the processor time of each test file. */
import { Client } from 'pg'
import { afterAll, inject } from 'vitest'
import { recordFileCost } from '../../scripts/test-run/file-costs.ts'
import { cpuMs, cpuOfTreeMs } from './process-figures.ts'
import { databasesMade } from './test-database.ts'

const nodeBeforeMs = cpuMs(process.pid)
const treeBeforeMs = cpuOfTreeMs(process.pid)
databasesMade.length = 0

// Registered before the file's own hooks, so it runs after all of them.
// oxlint-disable-next-line no-empty-pattern -- vitest reads which fixtures a hook takes from it
afterAll(async ({}, { file }) => {
  const nodeMs = cpuMs(process.pid) - nodeBeforeMs
  recordFileCost({
    project: file.projectName ?? '',
    file: file.filepath,
    nodeMs,
    childrenMs: Math.max(0, cpuOfTreeMs(process.pid) - treeBeforeMs - nodeMs),
    postgresMs: await statementMs(),
  })
})

async function statementMs(): Promise<number> {
  if (databasesMade.length === 0) return 0
  const client = new Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  const { rows } = await client.query<{ ms: number }>(
    'select coalesce(sum(active_time), 0)::float8 as ms from pg_stat_database where datname = any($1)',
    [databasesMade],
  )
  await client.end()
  return rows[0]?.ms ?? 0
}
