/** The history of benchmark ratios: saving, reading, and finding those that fell. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  fallLine,
  fallsOf,
  type HistoryEntry,
  readHistory,
  saveEntry,
} from '../../scripts/bench-history.ts'

const entry = (commit: string, ratios: Record<string, number>): HistoryEntry => ({
  commit,
  measuredAt: '2026-01-02T03:04:05.000Z',
  machine: '2 × a processor',
  rounds: 5,
  secondsPerRound: 3,
  ratios,
})

test('a ratio that fell by more than a tenth is shown beside the last entry that has it', () => {
  const history = [
    entry('a'.repeat(40), { list: 2, create: 1 }),
    entry('b'.repeat(40), { list: 1 }),
    entry('c'.repeat(40), { create: 0.8 }),
  ]
  expect(fallsOf({ list: 0.9, create: 0.73, upload: 0.1 }, history)).toEqual([])
  const [fall, ...others] = fallsOf({ list: 0.89, create: 0.8 }, history)
  expect(others).toEqual([])
  expect(fall && fallLine(fall)).toBe('list: 0.89 of raw, 1 at bbbbbbbbb (11 % less)')
})

test('saved entries are read again in their order, and a missing file is an empty history', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-history-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'history.jsonl')
  expect(readHistory(file)).toEqual([])
  for (const commit of ['one', 'two']) saveEntry(entry(commit, { list: 1 }), file)
  const saved = readHistory(file)
  expect(saved.map(({ commit }) => commit)).toEqual(['one', 'two'])
  expect(saved[0]?.machine).toMatch(/^\d+ × \S/)
})
