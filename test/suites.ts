/**
 * The tests that `npm test` runs, and those that only `npm run test:full` runs. The quick suite checks
 * every promise of the contract once, on PostgreSQL, and one journey through each group of pages. It also
 * leaves out the tests over large corpora (`testCorpus`).
 */

type Suite = 'quick' | 'full'

/** The suite of this run. A file that is run by its name belongs to the full suite too. */
export const suite: Suite = process.env['TEST_SUITE'] === 'quick' ? 'quick' : 'full'

/** The time budget of a file. A slower file should become faster or move to the full suite. */
export const fileBudgetSeconds: Readonly<Record<Suite, number>> = { quick: 15, full: 60 }

/** The page tests of the quick suite. The full suite runs every file of `test/browser`. */
export const quickBrowserFiles = ['journeys', 'pages'].map((name) => `test/browser/${name}.test.ts`)

/** Files that the quick suite leaves out, by reason. */
const fullOnly: Readonly<Record<string, readonly string[]>> = {
  'starts whole processes or builds': [
    'test/server/{admin-command,backup,checkpoints,cluster,embedded-sync,embedded-template,migrate-command,moving,start,stop}',
    'test/scripts/{build-server,build-web,cluster-suite,command-line,faults,psql,run,test-browsers}',
    'test/demo/{first-start,without-demo}',
    'test/platform/redis-outage',
    'test/http/draining',
  ],
  'needs several nodes, a replica or an outage': [
    'test/journeys/*',
    'test/api/{database-waiting,ledger-outages}',
    'test/platform/storage-s3-silence',
  ],
  'repeats one promise under load, in races or at random': [
    'test/api/{account-deletion-races,enhancement-concurrency,payments-deliveries}',
    'test/api/{trash-races,vault-concurrency,vault-sharing-races,vault-enrichment-fairness}',
    'test/api/{archive-roundtrip,bad-input,imports-large,large-bodies,library-archives-long}',
    'test/api/{long-uploads,room-limits}',
    'test/http/{body-memory,body-pace}',
  ],
  'works on many pictures and films': [
    'test/api/{censoring,composition,demo,enhancement-corpus,enhancement-faults}',
    'test/api/{picture-corpus,secret-change,slide-sizes,slide-sizes-ends,slide-sizes-work}',
    'test/api/{community-copying,community-guest-addresses,link-cards}',
    'test/api/{vault-enrichment-corpora,vault-enrichment-tries}',
    'test/demo/{files,film,paintings}',
    'test/enhancement/{providers,upscaler}',
    'test/images/{cover-regions,displayable-picture,hostile-pictures,perceptual-hash,picture-sizes}',
    'test/images/video-privacy',
    'test/platform/{video,video-hostile}',
  ],
}

export const fullOnlyFiles = Object.values(fullOnly)
  .flat()
  .map((name) => `${name}.test.ts`)
