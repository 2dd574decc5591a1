/** Building the web client at a start: only when stale, safe when concurrent, never half-written. */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'

const repository = resolve(import.meta.dirname, '../..')
const configuration = ['package.json', 'tsconfig.base.json', 'vite.config.ts']
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'build-web-'))
  const parts = ['src/web', 'src/contract', 'src/client', 'scripts/web-build', ...configuration]
  for (const part of parts) {
    await cp(join(repository, part), join(root, part), { recursive: true })
  }
  await symlink(join(repository, 'node_modules'), join(root, 'node_modules'))
})

afterAll(() => rm(root, { recursive: true }))

test('several starts at once leave one whole client and nothing else', async () => {
  const outcomes = await Promise.all([build(), build(), build()])
  expect(outcomes.map(({ result }) => result)).toContain('built')
  expect(await readdir(join(root, 'dist'))).toEqual(['web'])
  expect(await missingAssets()).toEqual([])
})

test('a client that is up to date is not built again', async () => {
  expect(await build()).toEqual({ result: 'up to date', said: 'web client is up to date\n' })
})

test('a page is given where the endpoints are, but no schema and no validation library', async () => {
  const assets = join(root, 'dist/web/assets')
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const code = (
    await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')))
  ).join()
  expect(code).toContain('/api/auth/user')
  expect(code).not.toContain('invalid_type')
})

test('any change of a source makes it stale', async () => {
  await writeFile(join(root, 'src/contract/another.ts'), 'export const another = 1\n')
  const { result, said } = await build()
  expect(result).toBe('built')
  expect(said).toMatch(/^building the web client … done in \d+\.\d s\n$/)
  expect(await missingAssets()).toEqual([])
})

test('a build that fails says why and leaves the client before it in place', async () => {
  const before = await readFile(join(root, 'dist/web/index.html'), 'utf8')
  await writeFile(join(root, 'src/web/main.ts'), "import './not-there.ts'\n")
  await expect(build()).rejects.toThrow('not-there.ts')
  expect(await readFile(join(root, 'dist/web/index.html'), 'utf8')).toBe(before)
  expect(await readdir(join(root, 'dist'))).toEqual(['web'])
})

async function build() {
  let said = ''
  const result = await buildWebIfStale({ root, print: (text) => (said += text) })
  return { result, said }
}

/** Returns the files that the built page names but that do not exist. */
async function missingAssets(): Promise<string[]> {
  const html = await readFile(join(root, 'dist/web/index.html'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(3)
  const found = await readdir(join(root, 'dist/web'), { recursive: true })
  return named.filter((path) => !found.includes(path))
}
