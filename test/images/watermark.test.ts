/** The watermark on published pictures: visible on light and dark pictures, and only in its corner. */
import { expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { inspectPicture } from '../../src/server/media/picture.ts'
import { makeThumbnails } from '../../src/server/media/thumbnails.ts'
import { watermark } from '../../src/server/media/watermark.ts'
import { privateTraces } from '../support/private-traces.ts'
import { paint, privateJpeg } from '../support/sample-media.ts'

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

/** Returns the spread of shades in a part of the picture: 0 if all pixels are alike. */
async function spread(bytes: Uint8Array, part: 'upper left' | 'lower right'): Promise<number> {
  const { width, height } = await sharp(bytes).metadata()
  const left = part === 'lower right' ? Math.floor(width / 2) : 0
  const top = part === 'lower right' ? Math.floor(height / 2) : 0
  const size = { width: Math.floor(width / 2), height: Math.floor(height / 2) }
  const { channels } = await sharp(
    await sharp(bytes)
      .extract({ left, top, ...size })
      .removeAlpha()
      .png()
      .toBuffer(),
  ).stats()
  return Math.max(...channels.map(({ min, max }) => max - min))
}

test.each([
  ['white', 800, 600, '#fff'],
  ['black', 800, 600, '#000'],
  ['grey', 800, 600, '#808080'],
  ['tiny', 200, 200, '#fff'],
  ['huge', 6000, 4000, '#333'],
  ['a strip', 120, 1600, '#fed'],
])(
  '%s: is in the lower right corner, in contrast to the picture',
  async (_, width, height, shade) => {
    const bytes = await plain(width, height, shade)
    const marked = await watermark(await inspectPicture(bytes))
    expect(await spread(marked, 'upper left')).toBe(0)
    expect(await spread(marked, 'lower right')).toBeGreaterThan(90)
    const read = await sharp(marked).metadata()
    expect(read).toMatchObject({ width, height, format: 'png', hasAlpha: false })
  },
)

test('a rotated JPEG is marked upright, and loses its metadata', async () => {
  const bytes = await privateJpeg({ orientation: 6, width: 600, height: 400 })
  const marked = await watermark(await inspectPicture(bytes))
  expect(await privateTraces(marked)).toEqual([])
  expect(await sharp(marked).metadata()).toMatchObject({ width: 400, height: 600, format: 'jpeg' })
})

test('transparency is kept', async () => {
  const bytes = await paint().ensureAlpha(0.4).webp().toBuffer()
  const marked = await watermark(await inspectPicture(bytes))
  expect(await sharp(marked).metadata()).toMatchObject({ format: 'webp', hasAlpha: true })
})

test('thumbnails are never larger than the picture', async () => {
  const widthsOf = async (width: number, height = 500) => {
    const picture = await inspectPicture(await plain(width, height, '#369'))
    const made = await makeThumbnails(picture, [320, 640, 1280])
    for (const { width, bytes } of made)
      expect(await sharp(bytes).metadata()).toMatchObject({ width, format: 'webp' })
    return made.map(({ width }) => width)
  }
  expect(await widthsOf(300)).toEqual([])
  expect(await widthsOf(320)).toEqual([320])
  expect(await widthsOf(1000)).toEqual([320, 640])
  expect(await widthsOf(2000)).toEqual([320, 640, 1280])
})

test('a strip too high for a thumbnail gets a narrower one', async () => {
  const picture = await inspectPicture(await plain(330, 20_000, '#369'))
  const [thumbnail] = await makeThumbnails(picture, [320])
  const { width, height } = await sharp(thumbnail!.bytes).metadata()
  expect(height).toBeLessThanOrEqual(16_383)
  expect(width).toBeLessThan(320)
})
