/** Checks that every test file in the lists of suites exists. */
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fullOnlyFiles, quickBrowserFiles } from '../suites.ts'

const cwd = new URL('../../', import.meta.url)

/** Expands 'test/{a,b}.test.ts' to both of its files. */
function namesIn(pattern: string): string[] {
  const [before = '', choices, after = ''] = pattern.split(/[{}]/)
  return choices === undefined
    ? [pattern]
    : choices.split(',').map((choice) => before + choice + after)
}

test('every name in the lists of suites is a test file', () => {
  const names = [...fullOnlyFiles, ...quickBrowserFiles].flatMap(namesIn)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => globSync(name, { cwd }).length === 0)).toEqual([])
})
