/**
 * Checks that tests have seen every promise of the contract kept: one success of each endpoint and each of
 * its failures. Checks that pages call every endpoint that is meant for people.
 */
import { readdirSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { notForPages } from '../../scripts/web-build/not-for-pages.ts'
import { endpoints } from '../../src/contract/api.ts'
import { evidenceFolder, pageCall, promisesSeen } from '../support/contract-check.ts'
import { anvilMissing, hasAnvil } from '../support/native-packages.ts'
import { readLines } from '../support/shared-corpora.ts'
import { suite } from '../suites.ts'

/** Transactions can only be tested with a blockchain. */
const chainEndpoint = 'payments.submitTransaction '

let seen: ReadonlySet<string>

beforeEach(({ skip }) => {
  skip(process.env['REQUIRE_EVIDENCE'] !== '1', 'only a whole suite sees every promise')
  seen = new Set(
    readdirSync(evidenceFolder).flatMap((file) =>
      readLines(new URL(file, evidenceFolder).pathname),
    ),
  )
})

test('every endpoint was seen to succeed, and to fail in each way that it declares', () => {
  const { promised } = promisesSeen()
  expect(withoutExcused(promised.filter((line) => !seen.has(line)))).toEqual([])
})

test('every endpoint that is meant for people was called by a page', ({ skip }) => {
  skip(suite === 'quick', 'only `npm run test:full` opens every page')
  const called = endpoints.filter(({ name }) => seen.has(pageCall(name))).map(({ name }) => name)
  expect(called.filter((name) => name in notForPages)).toEqual([])
  const uncalled = endpoints
    .map(({ name }) => name)
    .filter((name) => !called.includes(name) && !(name in notForPages))
  expect(withoutExcused(uncalled.map(pageCall))).toEqual([])
})

function withoutExcused(unseen: readonly string[]): string[] {
  const excused = hasAnvil() ? [] : unseen.filter((line) => line.startsWith(chainEndpoint))
  if (excused.length > 0) console.info(`not seen, as ${anvilMissing}: ${excused.join(', ')}`)
  return unseen.filter((line) => !excused.includes(line))
}
