/** Censoring through the API: the covered pixels are in no stored byte. */
import { describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import type { PictureWorld } from '../support/picture-world.ts'
import { createPictureWorld } from '../support/picture-world.ts'
import {
  blue,
  clear,
  colourAt,
  dataUri,
  green,
  noise,
  pixelsOf,
  plain,
  red,
  signpost,
} from '../support/pictures.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: PictureWorld
let ana: Person

useWorld(createPictureWorld, async (fresh) => {
  world = fresh
  ana = await world.rich('ana')
})

type Body = Parameters<Person['images']['censor']>[0]['body']

const left = { x: 0, y: 0, width: 0.5, height: 1 }

const censor = (imageUrl: string, change: Partial<Body> = {}, headers = {}) =>
  ana.images.censor({
    body: { imageUrl, regions: [left], mode: 'bar', strength: 5, ...change },
    headers,
  })

/**
 * Paints three colour channels with a fine pattern in the left half. Every cell has the same average
 * colour.
 */
async function patterned(sign: 1 | -1, format: 'png' | 'jpeg' | 'webp' = 'png') {
  const [width, height] = [640, 320]
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const detail = x < width / 2 ? sign * ((x + y) % 2 === 0 ? 50 : -50) : 0
      for (let channel = 0; channel < 3; channel += 1)
        data[(y * width + x) * 3 + channel] = 100 + channel * 20 + detail
    }
  const image = sharp(data, { raw: { width, height, channels: 3 } })
  if (format === 'png') return image.png().toBuffer()
  // Lossless, so that the sources differ only in the pattern.
  return image.webp({ lossless: true }).toBuffer()
}

describe.each(['blur', 'pixelate', 'bar'] as const)('%s', (mode) => {
  test.each([1, 10])(
    'of strength %i: sources with different details give the same file',
    async (strength) => {
      for (const format of ['png', 'webp'] as const) {
        const [one, other] = [await patterned(1, format), await patterned(-1, format)]
        expect(one.equals(other)).toBe(false)
        const results = []
        for (const source of [one, other]) {
          const made = await censor(dataUri(source, `image/${format}`), { mode, strength })
          results.push(await world.bytesAt(made.imageUrl))
        }
        expect(results[0]!.equals(results[1]!)).toBe(true)
      }
    },
  )

  test('does not change the rest of the picture', async () => {
    const made = await censor(dataUri(await patterned(1)), { mode })
    const pixels = await pixelsOf(await world.bytesAt(made.imageUrl))
    expect(pixels.at(330, 160)).toEqual([100, 120, 140, 255])
    expect(pixels.at(639, 319)).toEqual([100, 120, 140, 255])
    const covered = mode === 'bar' ? [0, 0, 0, 255] : [100, 120, 140, 255]
    expect(pixels.at(160, 160)).toEqual(covered)
    expect(made.dimensions).toEqual({ width: 640, height: 320 })
  })

  test('covers many regions, also overlapping ones and ones beyond the edge', async () => {
    const source = dataUri(await noise(400, 300, 'png'))
    const regions = Array.from({ length: 50 }, (_, n) => ({
      x: (n % 10) / 10,
      y: Math.floor(n / 10) / 5,
      width: 0.9,
      height: 0.9,
    }))
    const made = await censor(source, { mode, regions })
    const { data } = await pixelsOf(await world.bytesAt(made.imageUrl))
    const values = new Set(data.filter((_, place) => place % 4 === 0))
    // Noise has every value. After so much covering, few values remain.
    expect(values.size).toBeLessThan(mode === 'bar' ? 2 : 120)
  })
})

describe('what is kept', () => {
  const secret = 'SECRET-THUMBNAIL-AND-PLACE'

  test('has no metadata, and no part of the original', async () => {
    const source = await sharp(await noise(400, 300, 'png'))
      .withExif({
        IFD0: { ImageDescription: secret, Artist: secret },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '50/1 17/1 58/1' },
      })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`)
      .jpeg()
      .toBuffer()
    expect(source.includes(secret)).toBe(true)
    const made = await censor(dataUri(source, 'image/jpeg'), {
      mode: 'pixelate',
      saveToVault: true,
    })
    await world.runJobs()
    const keys = await world.ownKeys()
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) {
      const stored = Buffer.from(await readAll(await world.ctx.storage.read('user-media', key)))
      expect(stored.includes(secret), key).toBe(false)
      const { exif, xmp, iptc, icc } = await sharp(stored).metadata()
      expect({ exif, xmp, iptc, icc }, key).toEqual({})
      expect(await leftStepsOf(stored), key).toBeLessThan(12)
    }
    expect(made.imageUrl).toMatch(/\/Uploads\/[^/]+\.jpg\?s=/)
    const { files } = await ana.vault.list()
    expect(files).toMatchObject([
      { id: made.mediaId, category: 'upload', name: 'Censored picture', width: 400, height: 300 },
    ])
  })

  /**
   * Returns the average difference between neighbours in the covered half: 85 for noise, and almost 0 for
   * cells, which differ only at their borders.
   */
  async function leftStepsOf(bytes: Buffer): Promise<number> {
    const { data, width, height } = await pixelsOf(bytes)
    let sum = 0
    let count = 0
    for (let y = 2; y < height - 2; y += 1)
      for (let x = 2; x < width / 2 - 6; x += 1) {
        sum += Math.abs(data[(y * width + x) * 4]! - data[(y * width + x + 1) * 4]!)
        count += 1
      }
    return sum / count
  }

  test('keeps its kind: drawings stay drawings, photographs stay photographs', async () => {
    const kinds: [Buffer, string, RegExp][] = [
      [await plain(100, 100, red), 'image/png', /\.png\?/],
      [await plain(100, 100, red, 'jpeg'), 'image/jpeg', /\.jpg\?/],
      [await plain(100, 100, red, 'webp'), 'image/webp', /\.jpg\?/],
      [await clear(100, 100, red, 0.5), 'image/png', /\.png\?/],
    ]
    for (const [bytes, type, ending] of kinds) {
      const made = await censor(dataUri(bytes, type))
      expect(made.imageUrl).toMatch(ending)
      const pixels = await pixelsOf(await world.bytesAt(made.imageUrl))
      expect(pixels.at(10, 50).map((value) => value > 8)).toEqual([false, false, false, true])
      expect(colourAt(pixels, 90, 50)).toBe('red')
    }
  })

  test('regions refer to the upright picture', async () => {
    const turned = dataUri(await signpost(300, 400, { orientation: 6 }), 'image/jpeg')
    const topRight = { x: 0.5, y: 0, width: 0.5, height: 0.5 }
    const made = await censor(turned, { regions: [topRight] })
    expect(made.dimensions).toEqual({ width: 300, height: 400 })
    const pixels = await pixelsOf(await world.bytesAt(made.imageUrl))
    expect(colourAt(pixels, 50, 50)).toBe('red')
    expect(colourAt(pixels, 250, 50)).toMatch(/^rgba\([0-9], [0-9], [0-9], 255\)$/)
    expect(colourAt(pixels, 250, 350)).toBe('blue')
  })

  test('stores its source, is deleted after a day, and can be saved before', async () => {
    const uploaded = await ana.images.uploadFirst({
      form: { image: new Blob([new Uint8Array(await plain(300, 300, green))]) },
    })
    const made = await censor(uploaded.imageUrl)
    expect(await world.originsOf(made.imageUrl)).toEqual([world.fileAt(uploaded.imageUrl).key])
    const saved = await ana.images.save({ body: { imageUrl: made.imageUrl, name: 'Covered' } })
    expect((await ana.vault.list()).files).toMatchObject([
      { id: saved.mediaId, category: 'upload', name: 'Covered' },
    ])
    world.clock.advance(24 * 3_600_000 + 1000)
    await world.sweep()
    expect((await world.visitor().fetch(made.imageUrl)).status).toBe(404)
    expect((await world.bytesAt(saved.url)).length).toBeGreaterThan(0)
  })
})

test('it costs 5 once, even if it is repeated', async () => {
  const source = dataUri(await plain(100, 100, blue))
  const before = await world.balanceOf(ana)
  const headers = { 'idempotency-key': 'one-cover' }
  expect(await censor(source, {}, headers)).toEqual(await censor(source, {}, headers))
  expect(await world.balanceOf(ana)).toBe(before - 5)
})

describe('what is refused, and costs nothing', () => {
  const whole = { x: 0, y: 0, width: 1, height: 1 }

  test.each([
    ['no region', { regions: [] }, /regions must have at least 1/],
    ['too many', { regions: Array.from({ length: 51 }, () => whole) }, /at most 50/],
    [
      'a region without width',
      { regions: [{ ...whole, width: 0 }] },
      /regions\.0\.width must be more than 0/,
    ],
    ['a region elsewhere', { regions: [{ ...whole, x: 1.5 }] }, /regions\.0\.x/],
    ['no strength', { strength: 0 }, /strength must be at least 1/],
    ['too much strength', { strength: 11 }, /strength must be at most 10/],
    ['an unknown mode', { mode: 'smear' as 'bar' }, /mode must be one of/],
  ])('%s', async (_, change, words) => {
    const before = await world.balanceOf(ana)
    const answer = await refused(censor('http://pictures.example/1.jpg', change))
    expect([answer.status, answer.message]).toEqual([400, expect.stringMatching(words)])
    expect(await world.balanceOf(ana)).toBe(before)
  })

  test('an invalid picture, a bomb, and a picture that is too large', async () => {
    const before = await world.balanceOf(ana)
    const refusals: [string, number, RegExp][] = [
      [dataUri(Buffer.from('no picture')), 400, /must be a JPEG/],
      ['http://10.0.0.1/x.png', 400, /host/],
      [dataUri((await noise(300, 300)).subarray(0, 30_000)), 400, /damaged/],
      [dataUri(await plain(8000, 7000, red)), 400, /too many pixels/],
      [dataUri(await plain(9000, 9000, red)), 400, /too many pixels/],
      [world.publish('/huge', Buffer.alloc(20 * 1_048_576 + 1)), 413, /20 MB/],
    ]
    for (const [url, status, words] of refusals) {
      const answer = await refused(censor(url))
      expect([answer.status, answer.message]).toEqual([status, expect.stringMatching(words)])
    }
    expect(await world.balanceOf(ana)).toBe(before)
    expect(await world.ownKeys()).toEqual([])
  })
})

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
