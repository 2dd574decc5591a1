/**
 * What `npm test` runs: pure and platform tests once, the whole service on both database engines,
 * real browsers, and at the end the rules about the code itself.
 */
import { defineConfig } from 'vitest/config'

const service = {
  include: ['test/api/**/*.test.ts', 'test/journeys/**/*.test.ts'],
  globalSetup: 'test/support/engines.ts',
}

/** About pictures, forms, providers and HTTP rather than SQL: one engine shows as much as two. */
const engineBlind = [
  'animation',
  'captions-{outages,prewarm,refused}',
  'censoring',
  'composition',
  'demo',
  'doors',
  'enhancement-{corpus,refusals,results}',
  'feeds',
  'limits',
  'matrix',
  'media',
  'oidc-{outages,refusals}',
  'operations',
  'payments-{gateway,hostile,telegram,web3}',
  'picture-corpus',
  'production',
  'reports',
  'takedown',
  'vault-{enrichment,enrichment-corpora,publishing,s3,sharing,upload,upload-limits}',
  'web',
].map(inApi)

/** About what many do at once, or what a failure leaves behind: the server shows all of it. */
const serverOnly = [
  'account-deletion-races',
  'community-{copying,saving-refused}',
  'enhancement-faults',
  'vault-{delete,reconcile}',
].map(inApi)

function inApi(name: string): string {
  return `test/api/${name}.test.ts`
}

export default defineConfig({
  test: {
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: [
            'test/{captions,contract,enhancement,feeds,http,images,platform,scripts,server,web}/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          ...service,
          name: 'embedded',
          env: { TEST_ENGINE: 'embedded' },
          exclude: serverOnly,
        },
      },
      {
        extends: true,
        test: {
          ...service,
          name: 'postgres',
          // The modules keep nothing between files, and loading them anew takes a third of the time.
          // Many embedded databases in one process would take all of its memory.
          isolate: false,
          env: { TEST_ENGINE: 'postgres' },
          exclude: engineBlind,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          env: { TEST_ENGINE: 'embedded' },
          globalSetup: service.globalSetup,
        },
      },
      {
        extends: true,
        test: { name: 'tidy', include: ['test/tidy/**/*.test.ts'], sequence: { groupOrder: 1 } },
      },
    ],
  },
})
