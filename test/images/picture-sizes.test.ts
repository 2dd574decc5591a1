/** Sizes of pictures of every shape and kind, and their focus points. */
import { describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { drawSizes, widthsOf } from '../../src/server/media/picture-sizes.ts'
import { inspectPicture, UnfitPicture } from '../../src/server/media/picture.ts'
import { blue, clear, noise, plain, red } from '../support/pictures.ts'
import { paint } from '../support/sample-media.ts'

const drawn = async (bytes: Uint8Array) => {
  const picture = await inspectPicture(bytes)
  return drawSizes(picture, widthsOf(picture))
}

describe('the widths', () => {
  test.each([
    [319, 4000, []],
    [320, 200, [320]],
    [1279, 700, [320, 640]],
    [1920, 1080, [320, 640, 1280, 1920]],
    [8000, 6000, [320, 640, 1280, 1920]],
    // A strip that would exceed WebP's largest height, or is too much to decode at once.
    [700, 40_000, []],
    [1000, 30_000, [320]],
    [2000, 10_000, [320, 640, 1280]],
  ])('of %i × %i are %j', (width, height, widths) => {
    expect(widthsOf({ width, height })).toEqual(widths)
  })
})

describe('the sizes', () => {
  test('have their declared width, and the picture’s shape', async () => {
    const { sizes } = await drawn(await paint({ width: 1333, height: 777 }).jpeg().toBuffer())
    for (const { width, bytes } of sizes) {
      const made = await sharp(bytes).metadata()
      expect(made).toMatchObject({ width, format: 'webp' })
      expect(Math.abs((made.height ?? 0) - (width * 777) / 1333)).toBeLessThan(1)
    }
    expect(sizes.map(({ width }) => width)).toEqual([320, 640, 1280])
  })

  test('keep transparency, and grey stays grey', async () => {
    const [through] = (await drawn(await clear(400, 300, red, 0.5))).sizes
    expect(await sharp(through!.bytes).metadata()).toMatchObject({ hasAlpha: true })
    const grey = await sharp(await plain(400, 300, blue))
      .greyscale()
      .png()
      .toBuffer()
    const [made] = (await drawn(grey)).sizes
    const { channels } = await sharp(made!.bytes).stats()
    expect(Math.abs(channels[0]!.mean - channels[2]!.mean)).toBeLessThan(2)
  })

  test('of a truncated picture do not exist', async () => {
    const whole = await noise(900, 600)
    const cut = whole.subarray(0, whole.length / 2)
    await expect(drawn(cut)).rejects.toBeInstanceOf(UnfitPicture)
  })
})

describe('the focus', () => {
  const spotAt = async (left: number, top: number, [width, height]: readonly [number, number]) => {
    const spot = await noise(60, 60, 'png')
    const ground = sharp(await plain(width, height, [90, 100, 110]))
    return ground
      .composite([{ input: spot, left, top }])
      .png()
      .toBuffer()
  }

  test.each([
    [40, 40, [900, 600]],
    [780, 500, [900, 600]],
    [400, 20, [600, 900]],
    [420, 420, [900, 900]],
    [1700, 100, [2000, 300]],
  ] as const)('is at %i, %i of %j', async (left, top, size) => {
    const { focus } = await drawn(await spotAt(left, top, size))
    expect(Math.abs(focus!.x - (left + 30) / size[0])).toBeLessThan(0.08)
    expect(Math.abs(focus!.y - (top + 30) / size[1])).toBeLessThan(0.08)
  })

  test.each([
    [1, 1],
    [2000, 2],
    [400, 300],
  ])('is nowhere in %i × %i of one colour', async (width, height) => {
    expect((await drawn(await plain(width, height, red))).focus).toBeNull()
  })
})
