// Tests with the corpora beside the repository in ../shared. They are not part of the project, so without
// them these tests are skipped, unless REQUIRE_SHARED=1 is set.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { suite } from '../suites.ts'

const sharedDirectory = new URL('../../../shared/', import.meta.url)

/** Returns the location of a file or folder such as 'corpora/urls/ssrf-public.jsonl'. */
export function sharedFile(path: string): string {
  return fileURLToPath(new URL(path, sharedDirectory))
}

/** Declares a test with shared files. `tryCases` returns the number of cases, which is printed. */
export function testShared(
  promise: string,
  tryCases: () => number | Promise<number>,
  timeoutMs?: number,
): void {
  // oxlint-disable-next-line vitest/valid-title -- the caller states the promise
  test(promise, timeoutMs === undefined ? {} : { timeout: timeoutMs }, async ({ skip }) => {
    const isRequired = process.env['REQUIRE_SHARED'] === '1'
    skip(!isRequired && !existsSync(sharedDirectory), '../shared is not here')
    const caseCount = await tryCases()
    // A test without cases proves nothing.
    expect(caseCount).toBeGreaterThan(0)
    console.info(`${caseCount} cases: ${promise}`)
  })
}

/** The same for a large corpus, which only the full suite has time for. */
export const testCorpus: typeof testShared =
  suite === 'full'
    ? testShared
    : (promise) => {
        // oxlint-disable-next-line vitest/valid-title -- the caller states the promise
        test(promise, ({ skip }) => skip('only `npm run test:full` tries a whole corpus'))
      }

/** Returns the lines of a list, without empty ones. */
export function readLines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}
