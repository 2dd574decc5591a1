/** Tests of the ratios. */
import { expect, test } from 'vitest'
import { findingOf, ratiosToRaw } from './report.ts'

const what = { benchmark: 'ledger', request: 'one account', connections: 8, secondsPerRound: 3 }
const round = (requestsPerSecond: number, requestsPerCpuSecond: number) => ({
  requestsPerSecond,
  requestsPerCpuSecond,
  p99Ms: 1,
})

test('the ratios to raw are saved under the names of benchmark, request and figure', () => {
  const rounds = { ours: [round(300, 150)], raw: [round(100, 100)] }
  const withoutRaw = findingOf({ ...what, request: 'many accounts' }, { ours: [round(1, 1)] })
  expect(ratiosToRaw([findingOf(what, rounds), withoutRaw])).toEqual({
    'ledger: one account, by requests': 3,
    'ledger: one account, by CPU': 1.5,
  })
})
