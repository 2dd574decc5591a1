// Tests over the corpora that lie beside the repository in ../shared. They are not part of the
// project, so without them these tests are skipped, unless REQUIRE_SHARED=1 asks for them.

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { suite } from '../suites.ts'

const sharedDirectory = new URL('../../../shared/', import.meta.url)

/** Where a file or folder lies, such as 'corpora/urls/ssrf-public.jsonl'. */
export function sharedFile(path: string): string {
  return fileURLToPath(new URL(path, sharedDirectory))
}

/** A test over shared files. It returns how many cases it has tried, which is printed. */
export function testShared(
  promise: string,
  tryCases: () => number | Promise<number>,
  timeoutMs = 60_000,
): void {
  // oxlint-disable-next-line vitest/valid-title -- the caller states the promise
  test(promise, { timeout: timeoutMs }, async ({ skip }) => {
    if (!existsSync(sharedDirectory) && process.env['REQUIRE_SHARED'] !== '1') {
      console.info(`skipped, as ../shared is not here: ${promise}`)
      skip('../shared is not here')
    }
    const caseCount = await tryCases()
    // A test that has tried nothing has shown nothing.
    expect(caseCount).toBeGreaterThan(0)
    console.info(`${caseCount} cases: ${promise}`)
  })
}

/** The same over a large corpus, which only the full suite has the time for. */
export const testCorpus: typeof testShared =
  suite === 'full'
    ? testShared
    : (promise) => {
        // oxlint-disable-next-line vitest/valid-title -- the caller states the promise
        test(promise, ({ skip }) => {
          console.info(`skipped, as only \`npm run test:full\` tries a whole corpus: ${promise}`)
          skip('only `npm run test:full` tries a whole corpus')
        })
      }

/** The lines of a list, without empty ones. */
export function readLines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
}
