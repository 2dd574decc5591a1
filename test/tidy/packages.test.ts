/** Checks that each package in the lock file has its integrity and a known licence. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import unverified from './unverified-packages.json' with { type: 'json' }

type Entry = {
  readonly version: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
}

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8')

function packagesOf(file: string): (Entry & { readonly name: string })[] {
  const { packages } = JSON.parse(read(file)) as { packages: Record<string, Entry> }
  return Object.entries(packages).flatMap(([path, entry]) =>
    path === '' ? [] : [{ ...entry, name: path.replace(/^.*node_modules\//, '') }],
  )
}

const withoutIntegrity = (file: string) =>
  packagesOf(file)
    .filter(({ integrity }) => !integrity?.startsWith('sha512-'))
    .map(({ name, version, optional }) => `${name}@${version}${optional ? '' : ', not optional'}`)

test('every package has its integrity in the lock', () => {
  // Packages for other platforms whose integrity could not be fetched. This list may only become shorter.
  expect(withoutIntegrity('package-lock.json')).toEqual(unverified)
  expect(unverified.length).toBeLessThanOrEqual(79)
  expect(withoutIntegrity('bench/package-lock.json')).toEqual([])
})

/** Licences that require only a copy of their own text. */
const plain =
  /^(MIT|ISC|BSD-[23]-Clause|0BSD|MIT-0|Apache-2\.0|BlueOak-1\.0\.0|\(MIT OR CC0-1\.0\))$/

test('a package of the service with another licence is named in THIRD-PARTY.md', () => {
  const rows = [...read('THIRD-PARTY.md').matchAll(/^\| (`.*?) \|/gm)].map(
    ([, names = '']) => names,
  )
  const patterns = [...rows.join(' ').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const isNamed = (name: string) =>
    patterns.some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
    )
  const others = packagesOf('package-lock.json').filter(
    ({ dev, license }) => !dev && !plain.test(license ?? ''),
  )
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter(({ name }) => !isNamed(name)).map(({ name }) => name)).toEqual([])
})

test('a package that says MIT and contains GPL code is named too, and is optional', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as {
    optionalDependencies: Record<string, string>
  }
  expect(optionalDependencies).toHaveProperty('@napi-rs/webcodecs')
  expect(read('THIRD-PARTY.md')).toContain('`@napi-rs/webcodecs-*` | **GPL-3.0-or-later**')
})
