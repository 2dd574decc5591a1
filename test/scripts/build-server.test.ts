/** The built server: in few files, each module once, together with every file that it needs. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesSeenFirst } from '../../demo/seeding/paint-ahead.ts'
import { nameOf } from '../../demo/painting/painting.ts'
import { buildServerIfStale } from '../../scripts/build-server.ts'
import { pictureFile } from '../support/enhancement-world.ts'
import { eventually } from '../support/eventually.ts'
import { makeFilm } from '../support/sample-media.ts'
import { devClient, endServices, startService, unlimited } from '../support/service-process.ts'

const repository = resolve(import.meta.dirname, '../..')
const folder = join(repository, 'dist/server')
let names: string[]

beforeAll(async () => {
  await buildServerIfStale({ print: () => {} })
  names = await readdir(folder)
})

afterAll(endServices)

const contentsOf = (end: string) =>
  Promise.all(
    names.filter((name) => name.endsWith(end)).map((name) => readFile(join(folder, name), 'utf8')),
  )

test('import.meta.url of a bundled file still finds the files beside it', async () => {
  const code = (await contentsOf('.js')).join('\n')
  const places = [...code.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g)].map(
    ([, place = '']) => place,
  )
  expect(places).toContain('../../src/server/media/libvips.ts')
  const programs = [
    './video-process.js',
    './reading-process.js',
    './upscale-worker.js',
    './paint-worker.js',
  ]
  expect(places).toEqual(expect.arrayContaining(programs))
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
  const leftOut = ['@node-rs/argon2', 'ipaddr.js', 'pino', 'yazl']
  expect([...packages].toSorted()).toEqual(leftOut)
})

test('a film is looked into and a picture enlarged by the programs that were built', async () => {
  const service = await startService(unlimited)
  const client = await devClient(service)
  const film = await makeFilm({ format: 'mp4', frames: 30 })
  const file = new File([new Uint8Array(film)], 'film.mp4', { type: 'video/mp4' })
  await client.vault.upload({ form: { file } })
  await eventually(async () => {
    const { files } = await client.vault.list()
    expect(files).toEqual([expect.objectContaining({ durationMs: expect.any(Number) })])
  })
  await client.enhancement.giveConsent({ body: { version: 1 } })
  const image = await pictureFile({ width: 64, height: 64, format: 'jpeg' })
  const made = await client.enhancement.generate({ form: { image, quality: 'high' } })
  expect(made).toMatchObject({ success: true, provider: 'provider_b' })
  expect(await service.stop()).toEqual({ code: 0, signal: null })
})

test('the demo’s painter is built along', async () => {
  const painted = await mkdtemp(join(tmpdir(), 'lanternist-painted-'))
  const painter = new Worker(join(folder, 'paint-worker.js'))
  try {
    const [file] = filesSeenFirst()
    if (!file) throw new Error('nothing is painted ahead')
    painter.postMessage({ file, folder: painted, draftPrefix: '.draft-' }, [])
    expect(await once(painter, 'message')).toEqual([{ problem: null }])
    expect(await readdir(painted)).toEqual([nameOf(file)])
  } finally {
    await painter.terminate()
    await rm(painted, { recursive: true })
  }
})
