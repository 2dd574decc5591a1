/** The rows of `npm run faults` as data: the files that they name exist, and their mutants can be made. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mutated } from '../../scripts/fault-mutant.ts'
import { renderTable } from '../../scripts/fault-table.ts'
import { verdict } from '../support/fault.ts'
import { allRows, readRow } from '../support/fault-rows.ts'

const root = resolve(import.meta.dirname, '../..')
const names = await allRows()

describe.each(names)('%s', (name) => {
  test('has checks with a load and a goal each, and short tests that exist', async () => {
    const { checks, shortTests } = await readRow(name)
    expect(checks.length).toBeGreaterThan(0)
    expect(new Set(checks.map(({ load }) => load)).size).toBe(checks.length)
    expect(shortTests.length).toBeGreaterThan(0)
    for (const file of shortTests) expect(existsSync(resolve(root, file)), file).toBe(true)
  })

  test('is a promise of SECURITY.md', () => {
    expect(readFileSync(resolve(root, 'SECURITY.md'), 'utf8')).toContain(`\`${name}\``)
  })

  test('has a mutant that is one line of the code, written otherwise', async () => {
    const { mutant } = await readRow(name)
    expect(mutant.line).not.toContain('\n')
    expect(mutant.becomes).not.toContain('\n')
    expect(await mutated(mutant)).toContain(mutant.becomes)
  })
})

test('a verdict names what did not hold', () => {
  expect(verdict('3 ms', { 'too slow': true, 'too large': false })).toEqual({
    measured: '3 ms',
    misses: ['too large'],
  })
})

test('the table has a line for each check, with any text in its cells', () => {
  const times = { seconds: 3, cpuSeconds: 1 }
  const result = { row: 'stop', load: 'a | b', goal: 'c\nd', ...times, hasVerdict: true }
  const table = renderTable([{ ...result, ...verdict('none', { bad: false }) }])
  expect(table.split('\n')).toEqual([
    '| row | load | measured | goal | pass |',
    '| --- | --- | --- | --- | --- |',
    String.raw`| stop (3 s) | a \| b | none | c d | NO: bad |`,
  ])
})
