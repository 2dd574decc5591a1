/**
 * Runs the whole suite with fresh evidence, and closes with one plain line of counts. Arguments go
 * to vitest: `npm test -- --project embedded test/api/accounts.test.ts`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { buildServerIfStale } from './build-server.ts'
import { buildWebIfStale } from './build-web.ts'

const cache = new URL('../.cache/', import.meta.url)
const report = fileURLToPath(new URL('tests.json', cache))

const counts = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
})

await rm(new URL('evidence/', cache), { recursive: true, force: true })
await rm(report, { force: true })
await buildWebIfStale()
await buildServerIfStale()

const wanted = process.argv.slice(2)
const vitest = spawn(
  'vitest',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...wanted],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      // The service is started as a process dozens of times: half of each start is compiling it.
      NODE_COMPILE_CACHE: fileURLToPath(new URL('compiled/', cache)),
      // A part of the suite cannot have seen everything.
      ...(wanted.length === 0 ? { REQUIRE_EVIDENCE: '1' } : {}),
    },
  },
)
const [code] = (await once(vitest, 'exit')) as [number | null]
const { numPassedTests, numFailedTests, numPendingTests } = counts.parse(
  JSON.parse(await readFile(report, 'utf8')),
)
process.stdout.write(
  `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`,
)
process.exitCode = code ?? 1
if (code === 0 && wanted.length === 0) await rememberCommit()

/** For `npm run release`: which commit, with no change on top of it, has passed as a whole. */
async function rememberCommit(): Promise<void> {
  const changes = git('status', '--porcelain')
  if (changes.status !== 0 || changes.stdout !== '') return
  await writeFile(new URL('tested-commit', cache), git('rev-parse', 'HEAD').stdout)
}

function git(...words: string[]) {
  return spawnSync('git', words, { encoding: 'utf8' })
}
