/**
 * `npm test`: runs the quick suite and closes with one plain line of counts. `--full` runs every
 * test, `--profile` also shows where the time went. Other arguments go to vitest and choose from
 * every test: `npm test -- --project embedded test/api/accounts.test.ts`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildServerIfStale } from './build-server.ts'
import { buildWebIfStale } from './build-web.ts'

const cache = new URL('../.cache/', import.meta.url)

const given = process.argv.slice(2)
const isFull = given.includes('--full')
const isProfiled = given.includes('--profile')
const forVitest = given.filter((word) => word !== '--full' && word !== '--profile')
const isSelection = forVitest.length > 0

await rm(new URL('evidence/', cache), { recursive: true, force: true })
await rm(new URL('test-costs/', cache), { recursive: true, force: true })
await buildWebIfStale()
await buildServerIfStale()

const reporters = ['default', fileURLToPath(new URL('test-run/report.ts', import.meta.url))]
const vitest = spawn(
  'vitest',
  ['run', ...reporters.map((reporter) => `--reporter=${reporter}`), ...forVitest],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      // The service is started as a process dozens of times: half of each start is compiling it.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('compiled/', cache)),
      TEST_SUITE: isFull || isSelection ? 'full' : 'quick',
      ...(isProfiled ? { TEST_PROFILE: '1' } : {}),
      // A selection of files cannot see every promise of the contract.
      ...(isSelection ? {} : { REQUIRE_EVIDENCE: '1' }),
    },
  },
)
const [code] = (await once(vitest, 'exit')) as [number | null]
process.exitCode = code ?? 1
if (code === 0 && isFull && !isSelection) await rememberCommit()

/** Tells `npm run release` which commit passed the full suite without uncommitted changes. */
async function rememberCommit(): Promise<void> {
  const changes = git('status', '--porcelain')
  if (changes.status !== 0 || changes.stdout !== '') return
  await writeFile(new URL('tested-commit', cache), git('rev-parse', 'HEAD').stdout)
}

function git(...words: string[]) {
  return spawnSync('git', words, { encoding: 'utf8' })
}
