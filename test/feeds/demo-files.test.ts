/** The demo feed with its painter, on a real folder: what is asked for is painted, and kept. */
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DemoSource } from '../../src/server/features/feeds/adapters/demo.ts'
import { createDemoSource } from '../../src/server/features/feeds/adapters/demo.ts'
import { createPainter } from '../../src/server/features/feeds/demo/paint.ts'
import type { Painting } from '../../src/server/features/feeds/demo/posts.ts'
import { fileNameOf, paintings } from '../../src/server/features/feeds/demo/posts.ts'
import { subfeeds } from '../../src/server/features/feeds/demo/subfeeds.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { FileMissing } from '../../src/server/platform/storage/storage.ts'

const now = () => new Date()

let dataDir: string
let folder: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lanternist-demo-'))
  folder = join(dataDir, 'demo')
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** A small one, which no subfeed has. */
const small = (id: string, change: Partial<Painting> = {}): Painting => ({
  id,
  scene: 'bokeh',
  mood: 'warm',
  seed: 1,
  extension: 'webp',
  type: 'image',
  width: 64,
  height: 48,
  ...change,
})

/** The one of a scene that is painted quickest. */
const [quick = ''] = [...paintings.values()]
  .filter(({ scene, type }) => scene === 'bokeh' && type === 'image')
  .map(fileNameOf)

describe('the feed', () => {
  let demo: DemoSource

  beforeEach(() => {
    demo = createDemoSource({ dataDir, now, log: createLog('silent') })
  })
  afterEach(() => demo.close())

  test.each(['hot', 'new', 'top'] as const)(
    'is paged in the order %s without gap or repetition',
    async (sort) => {
      const whole = await demo.list({ subfeed: 'deepsky', sort, limit: 100 })
      expect(whole.after).toBeNull()
      const seen: string[] = []
      let after: string | null | undefined
      for (let page = 0; page < 20 && after !== null; page += 1) {
        const { media, ...next } = await demo.list({
          subfeed: 'deepsky',
          sort,
          limit: 4,
          after,
        })
        seen.push(...media.map(({ mediaUrl }) => mediaUrl))
        after = next.after
      }
      expect(seen).toEqual(whole.media.map(({ mediaUrl }) => mediaUrl))
      expect(new Set(seen).size).toBe(seen.length)
    },
  )

  test('ends where it is asked to go on after something strange', async () => {
    const request = { subfeed: 'deepsky', sort: 'hot' as const, limit: 5, after: 'slowwater-01' }
    expect(await demo.list(request)).toEqual({ media: [], after: null })
  })

  test('fills a session of 25 from any two subfeeds, known or not', async () => {
    const names = [...subfeeds.map(({ name }) => name), 'cats', 'anything_at_all']
    for (const [i, one] of names.entries()) {
      const other = names[(i + 1) % names.length] ?? ''
      const lists = await Promise.all(
        [one, other].map((subfeed) => demo.list({ subfeed, sort: 'hot', limit: 50 })),
      )
      const urls = lists.flatMap(({ media }) => media.map(({ mediaUrl }) => mediaUrl))
      expect(new Set(urls).size, `${one} and ${other}`).toBeGreaterThanOrEqual(25)
    }
  })

  test('describes its media by addresses of this site that lead to files', async () => {
    const [found] = await demo.search({ query: 'bokeh', limit: 1 })
    expect(found?.mediaUrl).toMatch(/^\/demo\/[\w-]+\.(webp|gif|webm)$/)
    expect(found?.thumbnail).toMatch(/^\/demo\/[\w-]+-s\.webp$/)
    expect(found?.postUrl).toMatch(/^\/demo\//)
    expect(await demo.search({ query: 'xylophone quartz', limit: 5 })).toEqual([])
  })

  test('a file that is asked for before it is painted is painted first, once for all', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => demo.files.stat('general', quick)))
    const [first] = answers
    expect(first?.size).toBeGreaterThan(1000)
    expect(answers).toEqual([first, first, first])
    const bytes = await buffer(await demo.files.read('general', quick))
    expect(bytes).toHaveLength(first?.size ?? 0)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp' })
    expect((await readdir(folder)).sort()).toEqual(
      [quick, quick.replace('.webp', '-s.webp')].sort(),
    )
  })

  test('a file that somebody removed is painted again, byte for byte', async () => {
    await demo.files.stat('general', quick)
    const before = await readFile(join(folder, quick))
    await rm(folder, { recursive: true })
    await mkdir(folder)
    await demo.files.stat('general', quick)
    expect((await readFile(join(folder, quick))).equals(before)).toBe(true)
  })

  test('what is painted is not painted again by the next start', async () => {
    await mkdir(folder)
    await writeFile(join(folder, quick), 'kept')
    expect(await demo.files.stat('general', quick)).toMatchObject({ size: 4 })
  })

  test.each(['../session-secret', '..', '', '.', '.draft-1', 'unknown-01.webp', `./${quick}`])(
    'no other name leads to the disk: %o',
    async (name) => {
      await mkdir(folder)
      await writeFile(join(folder, '.draft-1'), 'a draft')
      await writeFile(join(dataDir, 'session-secret'), 'secret')
      expect(await demo.files.stat('general', name)).toBeNull()
      await expect(demo.files.read('general', name)).rejects.toThrow(FileMissing)
      expect(await demo.openOwn?.(`/demo/${name}`)).toBeNull()
    },
  )

  test('is read by others in the house by its address', async () => {
    const content = await demo.openOwn?.(`/demo/${quick}`)
    if (!content) throw new Error('it was not read')
    const bytes = await buffer(content)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp' })
    expect(await demo.openOwn?.(`/media/${quick}`)).toBeNull()
  })

  test('painting everything stops at the signal, without complaint', async () => {
    const stop = new AbortController()
    const painting = demo.paintAll({ signal: stop.signal })
    stop.abort()
    await demo.close()
    const { painted, failed } = await painting
    expect(painted).toBeLessThanOrEqual(1)
    expect(failed).toBe(0)
    expect(await demo.paintAll({ signal: stop.signal })).toEqual({ painted: 0, failed: 0 })
  })
})

describe('the painter', () => {
  test('takes what somebody waits for before what nobody does', async () => {
    const painter = createPainter({ folder, now })
    const done: string[] = []
    const paint = (id: string, urgency: 'asked' | 'listed' | 'background') =>
      painter.paint(small(id), urgency).then(() => done.push(id))
    const all = [paint('first', 'background')]
    all.push(paint('idle', 'background'), paint('listed', 'listed'), paint('later', 'listed'))
    all.push(paint('later', 'asked'))
    await Promise.all(all)
    expect(done.indexOf('later')).toBeLessThan(done.indexOf('listed'))
    expect(done.indexOf('listed')).toBeLessThan(done.indexOf('idle'))
    await painter.close()
  })

  test('says which picture it could not paint, and paints on', async () => {
    const painter = createPainter({ folder, now })
    const impossible = small('impossible', { width: 0 })
    await expect(painter.paint(impossible, 'asked')).rejects.toThrow('impossible')
    await painter.paint(small('possible'), 'asked')
    expect(await readdir(folder)).toContain('possible.webp')
    await painter.close()
  })

  test('goes home at once, and whoever waits hears of it', async () => {
    const painter = createPainter({ folder, now })
    const orders = ['a', 'b', 'c', 'd'].map((id) =>
      painter.paint(
        small(id, { width: 1056, height: 660, scene: 'meadow', mood: 'tulips' }),
        'asked',
      ),
    )
    const outcomes = Promise.allSettled(orders)
    await painter.close()
    for (const { status } of await outcomes) expect(status).toBe('rejected')
    await expect(painter.paint(small('late'), 'asked')).rejects.toThrow('gone home')
  })

  test('clears away what a killed run has left half written, but not another’s work', async () => {
    await mkdir(folder)
    const [left, young] = [join(folder, '.draft-left'), join(folder, '.draft-young')]
    await writeFile(left, 'half')
    await writeFile(young, 'half')
    const yesterday = new Date(Date.now() - 86_400_000)
    await utimes(left, yesterday, yesterday)
    const painter = createPainter({ folder, now })
    await painter.paint(small('a'), 'asked')
    await painter.close()
    expect((await readdir(folder)).sort()).toEqual(['.draft-young', 'a-s.webp', 'a.webp'])
  })

  test('tries again where the folder could not be made at first', async () => {
    await writeFile(folder, 'a file in its place')
    const painter = createPainter({ folder, now })
    await expect(painter.paint(small('a'), 'asked')).rejects.toThrow('EEXIST')
    await rm(folder)
    await painter.paint(small('a'), 'asked')
    expect(await readdir(folder)).toContain('a.webp')
    await painter.close()
  })
})
