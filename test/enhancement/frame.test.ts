import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  finishPicture,
  framePicture,
  fitIntoFrame,
} from '../../src/server/features/enhancement/frame.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { inspectPicture } from '../../src/server/media/picture.ts'

const side = fc.integer({ min: 1, max: 8000 })

describe('the place in a frame', () => {
  test.each([
    [100, 100, 100, 100],
    [101, 100, 101, 101],
    [400, 300, 400, 300],
    [300, 400, 300, 400],
    [300, 200, 300, 200],
    [1600, 900, 1600, 900],
    [900, 1600, 900, 1600],
    [64, 40, 64, 43],
    [1000, 10, 1000, 563],
    [10, 1000, 563, 1000],
    [1, 1, 1, 1],
  ])('of %i × %i is %i × %i', (width, height, frameWidth, frameHeight) => {
    expect(fitIntoFrame({ width, height })).toMatchObject({
      width: frameWidth,
      height: frameHeight,
    })
  })

  test('always holds the whole picture, in the middle, and pads one way at most', () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        const place = fitIntoFrame({ width, height })
        expect(place.width === width || place.height === height).toBe(true)
        const right = place.width - width - place.left
        const below = place.height - height - place.top
        for (const [before, after] of [
          [place.left, right],
          [place.top, below],
        ]) {
          expect(before).toBeGreaterThanOrEqual(0)
          expect(after! - before!).toBeGreaterThanOrEqual(0)
          expect(after! - before!).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  test('rotates with the picture', () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        const [upright, turned] = [
          fitIntoFrame({ width, height }),
          fitIntoFrame({ width: height, height: width }),
        ]
        expect([turned.width, turned.height]).toEqual([upright.height, upright.width])
      }),
    )
  })
})

describe('a framed picture', () => {
  const striped = async (width: number, height: number) => {
    const pixels = Buffer.alloc(width * height * 3)
    for (let index = 0; index < pixels.length; index++) pixels[index] = (index * 73) % 256
    return sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer()
  }

  test('is restored from its frame pixel by pixel', async () => {
    for (const [width, height] of [
      [40, 9],
      [9, 40],
      [31, 31],
      [1, 50],
    ] as const) {
      const sent = await striped(width, height)
      const frame = await framePicture(await inspectPicture(sent), 'png')
      const back = await finishPicture(sharp(frame.bytes), frame, 1)
      const pixels = await sharp(back).raw().toBuffer()
      expect(pixels).toEqual(await sharp(sent).raw().toBuffer())
    }
  })

  test('is continued by its mirror image', async () => {
    const sent = await striped(40, 9)
    const frame = await framePicture(await inspectPicture(sent), 'png')
    const { top, height } = frame.picture
    const rows = await sharp(frame.bytes).raw().toBuffer()
    const row = (y: number) => rows.subarray(y * 40 * 3, (y + 1) * 40 * 3)
    expect(row(top - 1)).toEqual(row(top))
    expect(row(top - 2)).toEqual(row(top + 1))
    expect(row(top + height)).toEqual(row(top + height - 1))
  })

  test.each([
    ['grey', 'b-w', 1, false],
    ['grey with alpha', 'b-w', 0.5, true],
  ] as const)('%s keeps what it is', async (_, colours, opacity, hasAlpha) => {
    const image = sharp(await striped(30, 20)).toColourspace(colours)
    const sent = await (hasAlpha ? image.ensureAlpha(opacity) : image).png().toBuffer()
    expect(await framePicture(await inspectPicture(sent), 'png')).toMatchObject({ hasAlpha })
  })

  test('has at most fifteen million pixels, padding and all', async () => {
    const wide = await sharp({
      create: { width: 8000, height: 100, channels: 3, background: 'red' },
    })
      .png()
      .toBuffer()
    const framed = framePicture(await inspectPicture(wide), 'png')
    await expect(framed).rejects.toMatchObject({ reason: 'too-many-pixels' })
  })
})
