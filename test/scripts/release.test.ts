/** Writing a release: version and date in the right places, or nothing if something is wrong. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ReleaseFiles } from '../../scripts/release.ts'
import { isMeasured, writeRelease } from '../../scripts/release.ts'

const files: ReleaseFiles = {
  changelog:
    '# Changes\n\n## Unreleased\n\n### Added\n\n- It sings.\n\n## 0.9.1 (2026-01-01)\n\n- It hums.\n',
  packageFile: '{\n  "name": "lanternist",\n  "version": "0.9.1"\n}\n',
  lock: `{
  "version": "0.9.1",
  "packages": {
    "": { "version": "0.9.1" },
    "node_modules/other": { "version": "0.9.1" }
  }
}
`,
}

test('unreleased entries get version and date, and Unreleased is empty again', () => {
  const written = writeRelease(files, '0.10.0', '2026-02-03')
  expect(written.changelog).toBe(
    '# Changes\n\n## Unreleased\n\n## 0.10.0 (2026-02-03)\n\n### Added\n\n- It sings.\n\n## 0.9.1 (2026-01-01)\n\n- It hums.\n',
  )
  expect(JSON.parse(written.packageFile)).toMatchObject({ version: '0.10.0' })
  expect(JSON.parse(written.lock)).toEqual({
    version: '0.10.0',
    packages: { '': { version: '0.10.0' }, 'node_modules/other': { version: '0.9.1' } },
  })
})

test.each(['0.9.1', '0.9.0', '0.8.9', 'v1.0.0', '1.0', ''])('%j is no next version', (version) => {
  expect(() => writeRelease(files, version, '2026-02-03')).toThrow('no version after 0.9.1')
})

test('without anything under Unreleased there is no release', () => {
  const released = writeRelease(files, '0.10.0', '2026-02-03')
  expect(() => writeRelease(released, '0.10.1', '2026-02-04')).toThrow('nothing under Unreleased')
  const without = { ...files, changelog: '# Changes\n\n## 0.9.1 (2026-01-01)\n' }
  expect(() => writeRelease(without, '0.10.0', '2026-02-03')).toThrow('no part')
})

test('a release needs all benchmarks measured on the same service', () => {
  const entry = (commit: string, ...names: string[]) => ({
    commit,
    measuredAt: '2026-01-02T03:04:05.000Z',
    machine: '2 × a processor',
    rounds: 5,
    secondsPerRound: 3,
    ratios: Object.fromEntries(names.map((name) => [`${name}: list, by CPU`, 1])),
  })
  const isCurrent = (commit: string) => commit === 'now'
  const benchmarks = ['ledger', 'sessions']
  const measured = (...history: ReturnType<typeof entry>[]) =>
    isMeasured(history, benchmarks, isCurrent)
  expect(measured()).toBe(false)
  expect(measured(entry('before', 'ledger', 'sessions'))).toBe(false)
  expect(measured(entry('before', 'ledger'), entry('now', 'sessions'))).toBe(false)
  expect(measured(entry('now', 'ledger', 'sessions'))).toBe(true)
  expect(measured(entry('now', 'ledger'), entry('now', 'sessions'))).toBe(true)
})

describe('the project’s own', () => {
  const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
  const { version } = JSON.parse(read('package.json')) as { version: string }

  test('changelog starts with Unreleased, then has the version of package.json, and dates', () => {
    const [first, second, ...others] = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(
      ([, heading = '']) => heading,
    )
    expect(first).toBe('Unreleased')
    for (const heading of [second, ...others])
      expect(heading).toMatch(/^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/)
    expect(second?.split(' ')[0]).toBe(version)
  })

  test('lock is of the same version', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string
      packages: Record<string, { version?: string }>
    }
    expect([lock.version, lock.packages['']?.version]).toEqual([version, version])
  })
})
