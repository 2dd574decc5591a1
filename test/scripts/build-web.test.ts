/** Building the web client at a start. `staged-build.test.ts` tests builds at the same time. */
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
  await linkPackages()
})

afterAll(() => rm(root, { recursive: true }))

test('a build is whole: every file that its page names exists', async () => {
  expect((await build()).result).toBe('built')
  expect(await readdir(join(root, 'dist'))).toEqual(['web'])
  expect(await missingAssets()).toEqual([])
})

test('a page gets the endpoints, but no schema and no validation library', async () => {
  const assets = join(root, 'dist/web/assets')
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const code = (
    await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')))
  ).join()
  expect(code).toContain('/api/auth/user')
  expect(code).not.toContain('invalid_type')
})

test.each(['src/web', 'src/contract', 'src/client', 'scripts/web-build'])(
  'a change in %s makes it stale',
  async (folder) => {
    expect((await build()).result).toBe('up to date')
    await writeFile(join(root, folder, 'another.ts'), 'export const another = 1\n')
    // Without the packages a build fails at once, which shows that it was started.
    await rm(join(root, 'node_modules'))
    await expect(build()).rejects.toThrow('the development dependencies are missing')
    await linkPackages()
    await rm(join(root, folder, 'another.ts'))
  },
)

test('a build that fails says why and leaves the client before it in place', async () => {
  const before = await readFile(join(root, 'dist/web/index.html'), 'utf8')
  await writeFile(join(root, 'src/web/main.ts'), "import './not-there.ts'\n")
  await expect(build()).rejects.toThrow('not-there.ts')
  expect(await readFile(join(root, 'dist/web/index.html'), 'utf8')).toBe(before)
  expect(await readdir(join(root, 'dist'))).toEqual(['web'])
})

const linkPackages = () => symlink(join(repository, 'node_modules'), join(root, 'node_modules'))

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
