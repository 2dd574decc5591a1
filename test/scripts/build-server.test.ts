/** The server as it is shipped: in few files, each module once, and all that it looks for beside it. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildServerIfStale } from '../../scripts/build-server.ts'

const repository = resolve(import.meta.dirname, '../..')
const folder = join(repository, 'dist/server')
let names: string[]

beforeAll(async () => {
  await buildServerIfStale({ print: () => {} })
  names = await readdir(folder)
})

const contentsOf = (end: string) =>
  Promise.all(
    names.filter((name) => name.endsWith(end)).map((name) => readFile(join(folder, name), 'utf8')),
  )

test('a file is where it was written to whoever looks for something beside it', async () => {
  const code = (await contentsOf('.js')).join('\n')
  const places = [...code.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g)].map(
    ([, place = '']) => place,
  )
  expect(places).toContain('../../src/server/media/video.ts')
  expect(places).toContain('../../demo/painting/painter.ts')
  expect(places.filter((place) => !existsSync(join(folder, place)))).toEqual([])
  expect(code).not.toMatch(/import\.meta\.(dirname|filename)/)
})

test('no module of ours is there twice, and the demo has those of the server', async () => {
  const maps = (await contentsOf('.js.map')).map((map) => JSON.parse(map) as { sources: string[] })
  const sources = maps.flatMap((map) => map.sources.map((source) => resolve(folder, source)))
  const ours = sources.filter((source) => !source.includes('node_modules'))
  expect(ours).toContain(join(repository, 'demo/demo.ts'))
  expect(ours).toContain(join(repository, 'src/server/platform/concurrency/account-scope.ts'))
  expect(ours.toSorted()).toEqual([...new Set(ours)].toSorted())
})

test('what every start loads is in few files, and what it leaves to npm is named', async () => {
  const loaded = new Set<string>()
  const packages = new Set<string>()
  const follow = async (name: string): Promise<void> => {
    if (loaded.has(name)) return
    loaded.add(name)
    const code = await readFile(join(folder, name), 'utf8')
    for (const [, from = ''] of code.matchAll(/^import [^;]*?["']([^"']+)["']/gm)) {
      if (from.startsWith('.')) await follow(join(dirname(name), from))
      else if (!from.startsWith('node:')) packages.add(from)
    }
  }
  for (const name of names.filter((name) => /^(main|run-service|node)\b.*\.js$/.test(name)))
    await follow(name)
  expect(loaded.size).toBeLessThan(40)
  const leftOut = ['@node-rs/argon2', 'blockhash-core', 'ipaddr.js', 'pino', 'yazl']
  expect([...packages].toSorted()).toEqual(leftOut)
})
