/**
 * The journal reports the results so far even if a benchmark fails, and describes how responses differ.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstDifference } from './equality.ts'
import { goalFinding } from './goals.ts'
import { openJournal } from './journal.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanternist-journal-'))
})

afterAll(() => rmSync(folder, { recursive: true }))

const finding = goalFinding({ benchmark: 'one', what: 'a look', unit: 'ms', goal: 5 }, [3, 4, 9])

test('a failing benchmark keeps its results so far, and the next one runs', async () => {
  const file = join(folder, 'found/bench.json')
  const printed: string[] = []
  const journal = openJournal(file, { rounds: 3 }, (text) => printed.push(text))
  await journal.run('one', async ({ found }) => {
    found(finding)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      benchmarks: [{ name: 'one', findings: [finding], seconds: null }],
    })
    throw new Error('the node ended')
  })
  await journal.run('two', async ({ leftOut, found }) => {
    leftOut('conventional: not installed: express')
    found(finding)
  })
  expect(journal.end()).toEqual({ figures: 2, failures: 1, findings: [] })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    rounds: 3,
    endedAt: expect.any(String),
    benchmarks: [
      { name: 'one', findings: [finding], leftOut: [], failures: ['the node ended'] },
      { name: 'two', leftOut: ['conventional: not installed: express'], failures: [] },
    ],
  })
  expect(printed.join('')).toContain('one: FAILED: the node ended\n')
  expect(printed.join('')).toContain('two: left out: conventional: not installed: express\n')
})

test.each([
  [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, null],
  [{ files: [{ tags: [] }] }, { files: [{}] }, 'its answer.files[0].tags is missing, ours has []'],
  [{ a: 1 }, { a: 1, b: 2 }, 'its answer.b is 2, ours has none'],
  [{ a: { b: '1' } }, { a: { b: 1 } }, 'its answer.a.b is 1, ours has "1"'],
  [[1, 2], [1], 'its answer[1] is missing, ours has 2'],
  [{ a: null }, { a: {} }, 'its answer.a is {}, ours has null'],
])('the first difference between %j and %j is named', (ours, other, words) => {
  expect(firstDifference(ours, other, 'its answer')).toBe(words)
})
