/** Builds of parts of dist/: only when stale, safe when concurrent, never half-written. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildIfStale } from '../../scripts/staged-build.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'staged-build-'))
  await writeFile(join(root, 'source'), 'first')
})

afterEach(() => rm(root, { recursive: true }))

/** Copies the source in two steps. `between` runs after the first of them. */
async function build(between = async () => {}) {
  let said = ''
  const make = async (_: string, folder: string) => {
    await writeFile(join(folder, 'one'), await readFile(join(root, 'source')))
    await between()
    await writeFile(join(folder, 'other'), await readFile(join(root, 'source')))
  }
  const staged = { name: 'part', words: 'small part', sources: ['source'], make }
  const result = await buildIfStale(staged, { root, print: (text) => (said += text) })
  return { result, said }
}

const built = async () =>
  Promise.all(['one', 'other'].map((name) => readFile(join(root, 'dist/part', name), 'utf8')))

test('several builds at once replace a stale part by one whole part, and leave nothing else', async () => {
  await build()
  await writeFile(join(root, 'source'), 'second')
  let waiting = 0
  const { promise: allWait, resolve } = Promise.withResolvers<void>()
  const between = () => {
    if ((waiting += 1) === 3) resolve()
    return allWait
  }
  const outcomes = await Promise.all([build(between), build(between), build(between)])
  expect(outcomes.map(({ result }) => result)).toEqual(['built', 'built', 'built'])
  expect(await readdir(join(root, 'dist'))).toEqual(['part'])
  expect(await built()).toEqual(['second', 'second'])
})

test('a part that is up to date is not built again, and a changed source makes it stale', async () => {
  await build()
  expect(await build()).toEqual({ result: 'up to date', said: 'small part is up to date\n' })
  await writeFile(join(root, 'source'), 'second')
  const { result, said } = await build()
  expect(result).toBe('built')
  expect(said).toMatch(/^building the small part … done in \d+\.\d s\n$/)
  expect(await built()).toEqual(['second', 'second'])
})

test('a failed build leaves the previous part in place, and nothing else', async () => {
  await build()
  await writeFile(join(root, 'source'), 'second')
  const fail = () => Promise.reject(new Error('out of paint'))
  await expect(build(fail)).rejects.toThrow('out of paint')
  expect(await readdir(join(root, 'dist'))).toEqual(['part'])
  expect(await built()).toEqual(['first', 'first'])
})
