/**
 * The projects of the test suites: pure and platform tests; the whole service on PostgreSQL; on the embedded
 * database too, the tests that depend on the database; real browsers; and last the rules about the code
 * itself. `test/suites.ts` says which of them `npm test` runs.
 */
import { configDefaults, defineConfig } from 'vitest/config'
import { fullOnlyFiles, quickBrowserFiles, suite } from './test/suites.ts'

const isQuick = suite === 'quick'

/** True to test the whole service on the embedded database (`npm run test:embedded`). */
const isWhole = process.env['WHOLE_SERVICE'] === '1'

const service = {
  include: ['test/api/**/*.test.ts', 'test/journeys/**/*.test.ts'],
  globalSetup: 'test/support/engines.ts',
}

const otherBrowsers = {
  extends: true as const,
  test: {
    name: 'browsers',
    include: ['test/browsers/**/*.test.ts'],
    env: { TEST_ENGINE: 'postgres' },
    globalSetup: service.globalSetup,
    // Each file starts whole browsers, and in parallel they would delay each other's shows.
    fileParallelism: false,
    testTimeout: 600_000,
  },
}

/** Tests of every kind of statement and of waiting. The others run the same statements. */
const worksOnBoth = [
  'accounts',
  'admin-commands',
  'allocation',
  'community-browse',
  'credits',
  'fills',
  'idempotency',
  'jobs',
  'ledger-concurrency',
  'media-grants',
  'migrations',
  'operations',
  'paid',
  'partitions',
  'plays',
  'session-changes',
  'sessions',
  'slides',
  'tables',
  'trash',
  'vault-list',
].map((name) => `test/api/${name}.test.ts`)

const embedded = {
  extends: true as const,
  test: {
    ...service,
    name: 'embedded',
    // Sixty embedded databases in one process would use all of its memory; a few do not.
    isolate: isWhole,
    include: isWhole ? service.include : worksOnBoth,
    env: { TEST_ENGINE: 'embedded' },
  },
}

/**
 * `npm run bench` and `npm run faults` with a tiny load. They take minutes and wait half of the time. Projects
 * run in the order of their names, so these start early and other tests fill their waits.
 */
const commands = {
  extends: true as const,
  test: {
    name: 'commands',
    include: ['bench/**/*.test.ts', 'test/smoke/**/*.test.ts'],
    hookTimeout: 1_800_000,
  },
}

export default defineConfig({
  test: {
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A slow machine is not a failure: the awaited state may be reached late.
    expect: { poll: { timeout: 90_000 } },
    // One more than the processors of a small machine, because tests spend much of their time waiting.
    maxWorkers: 3,
    // The modules keep no state between files. Loading them again for each file takes a third of the time.
    isolate: false,
    exclude: [...configDefaults.exclude, ...(isQuick ? fullOnlyFiles : [])],
    setupFiles: process.env['TEST_PROFILE'] === '1' ? ['test/support/measure-costs.ts'] : [],
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: [
            'test/{captions,contract,demo,enhancement,feeds,http,images,platform,scripts,server,web}/**/*.test.ts',
          ],
        },
      },
      ...(isQuick ? [] : [embedded]),
      {
        extends: true,
        test: {
          ...service,
          name: 'postgres',
          env: { TEST_ENGINE: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: isQuick ? quickBrowserFiles : ['test/browser/**/*.test.ts'],
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: service.globalSetup,
        },
      },
      // Needs browsers that are installed on the system: `npm run test:browsers`.
      ...(process.env['OTHER_BROWSERS'] === '1' ? [otherBrowsers] : []),
      {
        extends: true,
        test: { name: 'tidy', include: ['test/tidy/**/*.test.ts'], sequence: { groupOrder: 1 } },
      },
      ...(isQuick ? [] : [commands]),
    ],
  },
})
