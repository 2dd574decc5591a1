/** The demo feed with its painter, on a real folder: requested pictures are painted and kept. */
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDemoFeed } from '../../demo/feed/feed.ts'
import type { DemoFiles } from '../../demo/feed/files.ts'
import { createDemoFiles } from '../../demo/feed/files.ts'
import { currentNameOf } from '../../demo/feed/former-names.ts'
import { paintings } from '../../demo/feed/posts.ts'
import { subfeeds } from '../../demo/feed/subfeeds.ts'
import type { Painter, Urgency } from '../../demo/painting/painter.ts'
import { createPainter } from '../../demo/painting/painter.ts'
import type { PaintedFile, Painting } from '../../demo/painting/painting.ts'
import { nameOf, thumbnailNameOf } from '../../demo/painting/painting.ts'
import { filesSeenFirst, paintAhead } from '../../demo/seeding/paint-ahead.ts'
import type { FeedSource } from '../../src/server/features/feeds/feed-source.ts'
import { demoScope, inAccountScope } from '../../src/server/platform/concurrency/account-scope.ts'
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

/** Returns a small painting that is in no subfeed. */
const small = (id: string, change: Partial<Painting> = {}): PaintedFile => ({
  part: 'whole',
  painting: {
    id,
    scene: 'papercut',
    mood: 'ocean',
    seed: 1,
    extension: 'jpg',
    type: 'image',
    width: 64,
    height: 48,
    ...change,
  },
})

/** Returns a painter that records its orders and writes a word in place of the picture. */
function createFakePainter(): Painter & { readonly orders: string[] } {
  const orders: string[] = []
  return {
    orders,
    async paint(file, urgency) {
      orders.push(`${urgency} ${nameOf(file)}`)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, nameOf(file)), 'painted')
    },
    forget: async () => {},
    close: async () => {},
  }
}

/** A painting of a scene that is painted quickly; its thumbnail even more so. */
const quickPainting = [...paintings.values()].find(
  ({ scene, type }) => scene === 'papercut' && type === 'image',
)
if (!quickPainting) throw new Error('there is no such painting')
const quick = thumbnailNameOf(quickPainting)

test('every still of version 0.2.0 still has a file', () => {
  const names = new Set(
    [...paintings.values()].flatMap((painting) =>
      (['whole', 'thumbnail'] as const).map((part) => nameOf({ painting, part })),
    ),
  )
  const former = ['mountainlight-01', 'deepsky-19', 'pressedflowers-06-3', 'quietwoods-21']
  for (const id of former)
    for (const name of [`${id}.webp`, `${id}-s.webp`]) {
      expect(names).toContain(currentNameOf(name))
      expect(currentNameOf(name)).toMatch(/\.jpg$/)
    }
  expect(currentNameOf('mountainlight-01.webp')).toBe('mountainlight-01.jpg')
  expect(currentNameOf('mountainlight-01-s.webp')).toBe('mountainlight-01-s.jpg')
  for (const name of ['unknown-01.webp', 'deepsky-22.webp', 'deepsky-01.png', '../deepsky-01.webp'])
    expect(currentNameOf(name)).toBe(name)
  for (const name of names) expect(currentNameOf(name)).toBe(name)
})

describe('the feed', () => {
  let painter: Painter
  let files: DemoFiles
  let demo: FeedSource

  beforeEach(() => {
    painter = createPainter({ folder, now })
    files = createDemoFiles({ folder, painter })
    demo = createDemoFeed(files)
  })
  afterEach(() => painter.close())

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

  test('ends after an invalid cursor', async () => {
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
    const [found] = await demo.search({ query: 'papercut', limit: 1 })
    expect(found?.mediaUrl).toMatch(/^\/demo\/[\w-]+\.(jpg|webp|gif|webm)$/)
    expect(found?.thumbnail).toMatch(/^\/demo\/[\w-]+-s\.jpg$/)
    expect(found?.postUrl).toMatch(/^\/demo\//)
    expect(await demo.search({ query: 'xylophone quartz', limit: 5 })).toEqual([])
  })

  test('a requested file is painted before others, once for all requests', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => files.stat('general', quick)))
    const [first] = answers
    expect(first?.size).toBeGreaterThan(1000)
    expect(answers).toEqual([first, first, first])
    const bytes = await buffer(await files.read('general', quick))
    expect(bytes).toHaveLength(first?.size ?? 0)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 640 })
    expect(await readdir(folder)).toEqual([quick])
  })

  test('a deleted file is painted again, byte for byte', async () => {
    await files.stat('general', quick)
    const before = await readFile(join(folder, quick))
    await rm(folder, { recursive: true })
    await mkdir(folder)
    await files.stat('general', quick)
    expect((await readFile(join(folder, quick))).equals(before)).toBe(true)
  })

  test('painted files are not painted again by the next start', async () => {
    await mkdir(folder)
    await writeFile(join(folder, quick), 'kept')
    expect(await files.stat('general', quick)).toMatchObject({ size: 4 })
  })

  test.each(['../session-secret', '..', '', '.', '.draft-1', 'unknown-01.webp', `./${quick}`])(
    'no other name reaches the disk: %o',
    async (name) => {
      await mkdir(folder)
      await writeFile(join(folder, '.draft-1'), 'a draft')
      await writeFile(join(dataDir, 'session-secret'), 'secret')
      expect(await files.stat('general', name)).toBeNull()
      await expect(files.read('general', name)).rejects.toThrow(FileMissing)
      expect(await demo.openOwn?.(`/demo/${name}`)).toBeNull()
    },
  )

  test('is read by others in the house by its address', async () => {
    const content = await demo.openOwn?.(`/demo/${quick}`)
    if (!content) throw new Error('it was not read')
    const bytes = await buffer(content)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg' })
    expect(await demo.openOwn?.(`/media/${quick}`)).toBeNull()
  })

  test('listing and searching paint nothing', async () => {
    const fake = createFakePainter()
    const feed = createDemoFeed(createDemoFiles({ folder, painter: fake }))
    await feed.list({ subfeed: 'deepsky', sort: 'hot', limit: 50 })
    await feed.search({ query: 'moon', limit: 50 })
    expect(fake.orders).toEqual([])
  })

  test('the site’s own requests wait behind visitors’ requests', async () => {
    const fake = createFakePainter()
    const feed = createDemoFeed(createDemoFiles({ folder, painter: fake }))
    for (const scope of [demoScope, { account: 'ana' }]) {
      const content = await inAccountScope(scope, () => feed.openOwn?.(`/demo/${quick}`))
      if (!content) throw new Error('it was not read')
      expect(String(await buffer(content))).toBe('painted')
    }
    expect(fake.orders).toEqual([`background ${quick}`, `asked ${quick}`])
  })

  test('nobody waits for ever: after a while the response asks to try again', async () => {
    const never = new Promise<void>(() => {})
    const stuck = { ...createFakePainter(), paint: () => never }
    const slow = createDemoFiles({ folder, painter: stuck, timeoutMs: 20 })
    await expect(slow.stat('general', quick)).rejects.toMatchObject({
      failure: { status: 503 },
      headers: { 'Retry-After': '3' },
    })
  })
})

describe('painting ahead', () => {
  const log = createLog('silent')

  test('paints the covers first, then large pictures, then their small ones, and no films', async () => {
    const painter = createFakePainter()
    await paintAhead(painter, log, { signal: new AbortController().signal })
    const names = painter.orders.map((order) => order.replace('background ', ''))
    const demo = createDemoFeed(createDemoFiles({ folder, painter }))
    const coverOf = async (subfeed: string) => {
      const { media } = await demo.list({ subfeed, sort: 'hot', limit: 1 })
      return media[0]?.thumbnail?.replace('/demo/', '')
    }
    const covers = await Promise.all(['mountainlight', 'nightcities', 'chromatropes'].map(coverOf))
    expect(names.slice(0, 3)).toEqual(covers)
    const isSmall = (name: string) => name.endsWith('-s.jpg')
    const later = names.slice(covers.length)
    for (const name of later.filter(isSmall))
      expect(later.indexOf(name.replace('-s.jpg', '.jpg'))).toBeLessThan(later.indexOf(name))
    expect(later.filter((name) => !isSmall(name)).length).toBeGreaterThanOrEqual(5)
    expect(names.every((name) => name.endsWith('.jpg'))).toBe(true)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeLessThanOrEqual(24)
  })

  test('goes on after a picture that could not be painted', async () => {
    const fake = createFakePainter()
    const [first] = filesSeenFirst()
    const painter: Painter = {
      ...fake,
      paint: (file, urgency) =>
        nameOf(file) === (first && nameOf(first))
          ? Promise.reject(new Error('the disk is full'))
          : fake.paint(file, urgency),
    }
    await paintAhead(painter, log, { signal: new AbortController().signal })
    expect(fake.orders).toHaveLength(filesSeenFirst().length - 1)
  })

  test('stops at the signal', async () => {
    const stop = new AbortController()
    const fake = createFakePainter()
    const paint: Painter['paint'] = (file, urgency) => {
      stop.abort()
      return fake.paint(file, urgency)
    }
    await paintAhead({ ...fake, paint }, log, { signal: stop.signal })
    expect(fake.orders).toHaveLength(1)
  })
})

describe('the painter', () => {
  test('paints requested pictures before others', async () => {
    const painter = createPainter({ folder, now })
    const done: string[] = []
    const paint = (id: string, urgency: Urgency) =>
      painter.paint(small(id), urgency).then(() => done.push(id))
    const all = [paint('first', 'background')]
    all.push(
      paint('idle', 'background'),
      paint('idler', 'background'),
      paint('later', 'background'),
    )
    all.push(paint('later', 'asked'))
    await Promise.all(all)
    expect(done.indexOf('later')).toBeLessThan(done.indexOf('idle'))
    expect(done.indexOf('idle')).toBeLessThan(done.indexOf('idler'))
    await painter.close()
  })

  test('names a picture that it could not paint, and paints on', async () => {
    const painter = createPainter({ folder, now })
    const impossible = small('impossible', { width: 0 })
    await expect(painter.paint(impossible, 'asked')).rejects.toThrow('impossible')
    await painter.paint(small('possible'), 'asked')
    expect(await readdir(folder)).toContain('possible.jpg')
    await painter.close()
  })

  test('makes a small picture from the large one if that exists', async () => {
    await mkdir(folder)
    const { painting } = small('red')
    const background = { r: 255, g: 0, b: 0 }
    const red = sharp({ create: { width: 64, height: 40, channels: 3, background } })
    await red.jpeg().toFile(join(folder, 'red.jpg'))
    const painter = createPainter({ folder, now })
    await painter.paint({ painting, part: 'thumbnail' }, 'asked')
    await painter.close()
    const { channels } = await sharp(join(folder, 'red-s.jpg')).stats()
    expect(channels.map(({ mean }) => Math.round(mean / 255))).toEqual([1, 0, 0])
  })

  test('closes at once, and rejects waiting requests', async () => {
    const painter = createPainter({ folder, now })
    const orders = ['a', 'b', 'c', 'd'].map((id) =>
      painter.paint(small(id, { width: 1056, height: 660, scene: 'lake', mood: 'dusk' }), 'asked'),
    )
    const outcomes = Promise.allSettled(orders)
    await painter.close()
    for (const { status } of await outcomes) expect(status).toBe('rejected')
    await expect(painter.paint(small('late'), 'asked')).rejects.toThrow('closed')
  })

  test('removes half-written files of a killed run, but not another’s work', async () => {
    await mkdir(folder)
    const [left, young] = [join(folder, '.draft-left'), join(folder, '.draft-young')]
    await writeFile(left, 'half')
    await writeFile(young, 'half')
    const yesterday = new Date(Date.now() - 86_400_000)
    await utimes(left, yesterday, yesterday)
    const painter = createPainter({ folder, now })
    await painter.paint(small('a'), 'asked')
    await painter.close()
    expect((await readdir(folder)).sort()).toEqual(['.draft-young', 'a.jpg'])
  })

  test('tries again if the folder could not be made at first', async () => {
    await writeFile(folder, 'a file in its place')
    const painter = createPainter({ folder, now })
    await expect(painter.paint(small('a'), 'asked')).rejects.toThrow('EEXIST')
    await rm(folder)
    await painter.paint(small('a'), 'asked')
    expect(await readdir(folder)).toContain('a.jpg')
    await painter.close()
  })
})
