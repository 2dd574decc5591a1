/** Display files of pictures: without private metadata, upright, and otherwise unchanged. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeDisplayable } from '../../src/server/media/displayable-picture.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { joinDrawing, readParts } from '../../src/server/media/picture-parts.ts'
import { inspectPicture } from '../../src/server/media/picture.ts'
import { pngChunk } from '../support/hostile-media.ts'
import { colourAt, green, pixelsOf, plain, signpost } from '../support/pictures.ts'
import { privateTraces } from '../support/private-traces.ts'
import { paint, plainJpeg, privateJpeg } from '../support/sample-media.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

const exif = { IFD0: { ImageDescription: 'Secret Street 7' }, IFD3: { GPSLatitudeRef: 'N' } }
const shared = (name: string) => readFileSync(sharedFile(`corpora/images/exif/${name}`))

/** Returns the average difference of two pictures, in shades of 0 to 255. */
async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const small = (bytes: Uint8Array) =>
    sharp(bytes).autoOrient().resize(64, 64, { fit: 'fill' }).removeAlpha().raw().toBuffer()
  const [a, b] = [await small(one), await small(other)]
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length
}

describe('a picture without private metadata is unchanged', () => {
  test.each([
    ['jpeg', () => plainJpeg()],
    ['png', () => paint().png().toBuffer()],
    ['webp', () => paint().webp().toBuffer()],
    ['gif', () => paint({ width: 64, height: 64 }).gif().toBuffer()],
  ] as const)('%s', async (_, make) => {
    const bytes = await make()
    expect(await privateTraces(bytes)).toEqual([])
    expect(await makeDisplayable(bytes)).toBeNull()
  })
})

describe('a still with private metadata is encoded again', () => {
  test('an orientation is applied and then removed', async () => {
    const minimal = Buffer.from(
      '4578696600004d4d002a00000008000101120003000000010006000000000000',
      'hex',
    )
    const app1 = Buffer.concat([Buffer.from([0xff, 0xe1, 0, minimal.length + 2]), minimal])
    const plain = await plainJpeg()
    const turned = Buffer.concat([plain.subarray(0, 2), app1, plain.subarray(2)])
    expect((await sharp(turned).metadata()).orientation).toBe(6)
    const shown = (await makeDisplayable(turned))!
    expect(await sharp(shown).metadata()).toMatchObject({ width: 600, height: 800 })
    expect(await difference(turned, shown)).toBeLessThan(2)
  })

  test.each([1, 3, 6, 8])('a JPEG of orientation %i', async (orientation) => {
    const bytes = await privateJpeg({ orientation, width: 640, height: 400 })
    expect((await privateTraces(bytes)).length).toBeGreaterThan(3)
    const shown = (await makeDisplayable(bytes))!
    expect(await privateTraces(shown)).toEqual([])
    const { width, height, orientation: left } = await sharp(shown).metadata()
    expect([width, height, left]).toEqual(
      orientation > 4 ? [400, 640, undefined] : [640, 400, undefined],
    )
    expect(await difference(bytes, shown)).toBeLessThan(2)
  })

  test('a PNG keeps its pixels and its alpha', async () => {
    const bytes = await paint().ensureAlpha(0.5).withExif(exif).png().toBuffer()
    const shown = (await makeDisplayable(bytes))!
    expect(await privateTraces(shown)).toEqual([])
    expect((await sharp(shown).metadata()).hasAlpha).toBe(true)
    const pixels = (of: Uint8Array) => sharp(of).raw().toBuffer()
    expect((await pixels(shown)).equals(await pixels(bytes))).toBe(true)
  })

  test('a lossless WebP keeps its pixels', async () => {
    const bytes = await paint().withExif(exif).webp({ lossless: true }).toBuffer()
    const shown = (await makeDisplayable(bytes))!
    expect(await privateTraces(shown)).toEqual([])
    const pixels = (of: Uint8Array) => sharp(of).raw().toBuffer()
    expect((await pixels(shown)).equals(await pixels(bytes))).toBe(true)
  })

  test.each([3, 6, 8])('a WebP of orientation %i', async (orientation) => {
    const bytes = await signpost(64, 40, { orientation, format: 'webp' })
    const before = Buffer.from(bytes)
    const shown = (await makeDisplayable(bytes))!
    expect(bytes.equals(before)).toBe(true)
    expect(await inspectPicture(shown)).toMatchObject({ width: 64, height: 40, orientation: 1 })
    // The edges are soft. With another orientation the difference would be at least 60.
    expect(await difference(before, shown)).toBeLessThan(8)
  })

  test('data after the end of a JPEG, or in a comment, is removed', async () => {
    const plain = await plainJpeg()
    const words = Buffer.from('Secret Street 7')
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, words.length + 2]), words])
    for (const bytes of [
      Buffer.concat([plain, words]),
      Buffer.concat([plain.subarray(0, 2), comment, plain.subarray(2)]),
    ]) {
      expect(await privateTraces(bytes)).toContain('Secret Street 7')
      expect(await privateTraces((await makeDisplayable(bytes))!)).toEqual([])
    }
  })
})

describe('an animation loses its private metadata and nothing else', () => {
  const frames = () =>
    Promise.all([1, 2, 3].map((seed) => paint({ seed, width: 64, height: 64 }).png().toBuffer()))

  test('an animated WebP', async () => {
    const bytes = await sharp(await frames(), { join: { animated: true } })
      .withExif(exif)
      .webp({ lossless: true, loop: 2, delay: [100, 200, 300] })
      .toBuffer()
    const shown = (await makeDisplayable(bytes))!
    expect(await privateTraces(shown)).toEqual([])
    expect(shown.length).toBeLessThan(bytes.length)
    const read = await sharp(shown, { animated: true }).metadata()
    expect(read).toMatchObject({ pages: 3, delay: [100, 200, 300], loop: 2 })
    const pixels = (of: Uint8Array) => sharp(of, { animated: true }).raw().toBuffer()
    expect((await pixels(shown)).equals(await pixels(bytes))).toBe(true)
  })

  test.each([2, 3, 4, 5, 6, 7, 8])(
    'an animated WebP of orientation %i is drawn upright, page by page',
    async (orientation) => {
      const posts = [await signpost(64, 40, { format: 'png' }), await plain(64, 40, green)]
      const bytes = await sharp(posts, { join: { animated: true } })
        .withExif(exif)
        .withMetadata({ orientation })
        .webp({ lossless: true, loop: 2, delay: [100, 250] })
        .toBuffer()
      const shown = (await makeDisplayable(bytes))!
      expect(await privateTraces(shown)).toEqual([])
      const read = await sharp(shown, { animated: true }).metadata()
      const [width, pageHeight] = orientation > 4 ? [40, 64] : [64, 40]
      expect(read).toMatchObject({ width, pageHeight, pages: 2, delay: [100, 250], loop: 2 })
      expect(read.orientation).toBeUndefined()
      expect(await inspectPicture(bytes)).toMatchObject({ width, height: pageHeight })
      expect(await inspectPicture(shown)).toMatchObject({ width, height: pageHeight })
      // A still of the first page, rotated like any still.
      const still = await sharp(posts[0]).withMetadata({ orientation }).png().toBuffer()
      expect(await difference(still, shown)).toBeLessThan(8)
      expect(colourAt(await pixelsOf(shown, 1), 20, 20)).toBe('green')
    },
  )

  test('a GIF keeps its loop and loses comments and what other programs wrote', async () => {
    const gif = await sharp(await frames(), { join: { animated: true } })
      .gif({ loop: 3, delay: [100, 200, 300] })
      .toBuffer()
    const words = Buffer.from('Secret Street 7')
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, words.length]), words, Buffer.alloc(1)])
    const xmp = Buffer.concat([
      Buffer.from([0x21, 0xff, 11]),
      Buffer.from('XMP DataXMP'),
      comment.subarray(2),
    ])
    const bytes = Buffer.concat([gif.subarray(0, -1), comment, xmp, Buffer.from([0x3b]), words])
    const shown = (await makeDisplayable(bytes))!
    expect(Buffer.from(shown).equals(gif)).toBe(true)
  })
})

test('an animated PNG keeps moving, without its texts', async () => {
  const still = await paint({ width: 64, height: 64 }).png().toBuffer()
  const frames = pngChunk('acTL', Buffer.from('0000000200000000', 'hex'))
  const text = pngChunk('tEXt', Buffer.from('Comment\0Secret Street 7'))
  const at = still.indexOf('IDAT') - 4
  const bytes = Buffer.concat([still.subarray(0, at), frames, text, still.subarray(at)])
  const shown = Buffer.from((await makeDisplayable(bytes))!)
  expect(shown.equals(Buffer.concat([still.subarray(0, at), frames, still.subarray(at)]))).toBe(
    true,
  )
})

test('a picture with too many pixels is shown to nobody', async () => {
  const bytes = await sharp({
    create: { width: 9000, height: 6700, channels: 3, background: '#468' },
    limitInputPixels: false,
  })
    .withExif(exif)
    .jpeg()
    .toBuffer()
  await expect(makeDisplayable(bytes)).rejects.toMatchObject({ reason: 'too-many-pixels' })
})

test('no bytes make the reader of parts fail or loop for ever', () => {
  const heads = [
    Buffer.from('ffd8ff', 'hex'),
    Buffer.from('89504e470d0a1a0a', 'hex'),
    Buffer.from('RIFF\xff\xff\xff\xffWEBP', 'latin1'),
    Buffer.from('GIF89a'),
  ]
  fc.assert(
    fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 400 }), (head, rest) => {
      const bytes = Buffer.concat([head, rest])
      const parts = readParts(bytes)
      if (parts === 'format') return
      if (parts === 'too-many-parts') throw new Error('so few bytes are not too many')
      expect(joinDrawing(parts).length).toBeLessThanOrEqual(bytes.length + 1)
      expect(parts.legible.length).toBeLessThanOrEqual(bytes.length)
    }),
    { numRuns: 2000 },
  )
})

testShared('the EXIF samples come out upright and without a trace', async () => {
  const names = readdirSync(sharedFile('corpora/images/exif')).filter((name) =>
    /\.(jpg|png)$/.test(name),
  )
  for (const name of names) {
    const bytes = shared(name)
    const shown = (await makeDisplayable(bytes)) ?? bytes
    const { exif = Buffer.alloc(0) } = await sharp(shown).metadata()
    // A few bytes of EXIF that contain only the orientation may stay.
    if (shown === bytes) expect(exif.length, name).toBeLessThan(128)
    else expect(await privateTraces(shown), name).toEqual([])
    const { autoOrient } = await sharp(bytes).metadata()
    const { autoOrient: seen } = await sharp(shown).metadata()
    expect([name, seen]).toEqual([name, autoOrient])
    expect(await difference(bytes, shown), name).toBeLessThan(2)
  }
  return names.length
})

testShared('the eight orientations of one photograph look alike', async () => {
  const first = (await makeDisplayable(shared('Landscape_1.jpg'))) ?? shared('Landscape_1.jpg')
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const bytes = shared(`Landscape_${orientation}.jpg`)
    const shown = (await makeDisplayable(bytes)) ?? bytes
    expect(await difference(first, shown), String(orientation)).toBeLessThan(12)
  }
  return 8
})
