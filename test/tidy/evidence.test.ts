/** Every promise of the contract has been seen kept by a test: one success and each failure. */
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endpoints } from '../../src/contract/api.ts'
import { failuresOf } from '../../src/contract/endpoint.ts'
import { evidenceFolder, failureName } from '../support/contract-check.ts'
import { anvilMissing, hasAnvil } from '../support/native-packages.ts'
import { readLines } from '../support/shared-corpora.ts'

/** Nothing but a chain can say anything about a transaction. */
const chainEndpoint = 'payments.submitTransaction '

test('every endpoint was seen to succeed, and to fail in each way that it declares', ({ skip }) => {
  if (process.env['REQUIRE_EVIDENCE'] !== '1') {
    console.info('skipped: only a whole `npm test` gathers all the evidence')
    skip('only a whole `npm test` gathers all the evidence')
  }
  const seen = new Set(
    readdirSync(evidenceFolder).flatMap((file) =>
      readLines(new URL(file, evidenceFolder).pathname),
    ),
  )
  const promised = endpoints.flatMap(({ name, endpoint }) => [
    `${name} success`,
    ...failuresOf(endpoint).map((failure) => `${name} ${failureName(failure)}`),
  ])
  const unseen = promised.filter((line) => !seen.has(line))
  const excused = hasAnvil() ? [] : unseen.filter((line) => line.startsWith(chainEndpoint))
  if (excused.length > 0) console.info(`not seen, as ${anvilMissing}: ${excused.join(', ')}`)
  expect(unseen.filter((line) => !excused.includes(line))).toEqual([])
})
