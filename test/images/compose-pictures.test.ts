/** Two pictures composed into one, checked by their pixels. */
import { describe, expect, test } from 'vitest'
import type { Layout } from '../../src/contract/composition-layout.ts'
import { layoutFor, partsOf } from '../../src/contract/composition-layout.ts'
import {
  composeParts,
  composePictures,
} from '../../src/server/features/picture-tools/compose-pictures.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { inspectPicture } from '../../src/server/media/picture.ts'
import {
  blue,
  clear,
  colourAt,
  isAbout,
  noise,
  pixelsOf,
  plain,
  red,
  signpost,
} from '../support/pictures.ts'

async function compose(first: Buffer, second: Buffer, layout: Layout) {
  const composition = await composePictures(
    [await inspectPicture(first), await inspectPicture(second)],
    layout,
  )
  return { ...composition, pixels: await pixelsOf(composition.bytes) }
}

describe('the layout by itself', () => {
  const portrait = { width: 300, height: 400 }
  const square = { width: 300, height: 300 }
  const landscape = { width: 400, height: 300 }

  test.each([
    ['two portraits', portrait, portrait, 'side-by-side'],
    ['two squares', square, square, 'side-by-side'],
    ['portrait and square', portrait, square, 'side-by-side'],
    ['two landscapes', landscape, landscape, 'top-bottom'],
    ['landscape and portrait', landscape, portrait, 'side-by-side'],
    ['portrait and landscape', portrait, landscape, 'side-by-side'],
    ['square and landscape', square, landscape, 'side-by-side'],
  ])('%s', (_, first, second, layout) => {
    expect(layoutFor([first, second])).toBe(layout)
  })
})

describe('sizes, order and scaling', () => {
  test.each([
    ['equal', [400, 300], [400, 300], 'side-by-side', [800, 300], 400],
    ['equal', [400, 300], [400, 300], 'top-bottom', [400, 600], 300],
    ['the first is higher', [400, 800], [300, 400], 'side-by-side', [500, 400], 200],
    ['the second is higher', [300, 400], [400, 800], 'side-by-side', [500, 400], 300],
    ['the first is wider', [800, 400], [400, 300], 'top-bottom', [400, 500], 200],
    ['the second is wider', [400, 300], [800, 400], 'top-bottom', [400, 500], 300],
    ['nothing divides evenly', [333, 777], [401, 299], 'side-by-side', [128 + 401, 299], 128],
    ['extremes', [200, 4000], [4000, 200], 'side-by-side', [10 + 4000, 200], 10],
    ['extremes', [4000, 200], [200, 4000], 'top-bottom', [200, 10 + 4000], 10],
  ] as const)('%s: %j and %j, %s', async (_, one, other, layout, size, seam) => {
    const first = await plain(one[0], one[1], red)
    const second = await plain(other[0], other[1], blue)
    const made = await compose(first, second, layout)
    expect([made.width, made.height]).toEqual(size)
    expect([made.pixels.width, made.pixels.height]).toEqual(size)
    expect([made.layout, made.seam]).toEqual([layout, seam])
    const [x, y] = [made.width - 2, made.height - 2]
    expect(colourAt(made.pixels, 2, 2)).toBe('red')
    expect(colourAt(made.pixels, x, y)).toBe('blue')
    // Each colour reaches the seam, except for two pixels, because of the encoder's blocks.
    const across = layout === 'side-by-side'
    expect(colourAt(made.pixels, across ? seam - 3 : x, across ? y : seam - 3)).toBe('red')
    expect(colourAt(made.pixels, across ? seam + 2 : 2, across ? 2 : seam + 2)).toBe('blue')
  })

  test('a picture that already fits keeps its pixels', async () => {
    const jpeg = await noise(240, 240, 'jpeg')
    const png = await sharp(jpeg).png().toBuffer()
    const straight = await compose(jpeg, jpeg, 'side-by-side')
    const drawn = await compose(png, png, 'side-by-side')
    expect(straight.pixels.data.equals(drawn.pixels.data)).toBe(true)
  })
})

describe('properties of the pictures', () => {
  test.each([
    ['jpeg', 'png'],
    ['png', 'webp'],
    ['webp', 'jpeg'],
    ['webp', 'webp'],
  ] as const)('%s and %s become one JPEG', async (one, other) => {
    const made = await compose(
      await plain(300, 400, red, one),
      await plain(300, 300, blue, other),
      'side-by-side',
    )
    expect(made.extension).toBe('jpg')
    expect((await sharp(made.bytes).metadata()).format).toBe('jpeg')
    expect([made.width, made.height]).toEqual([525, 300])
    expect([colourAt(made.pixels, 5, 5), colourAt(made.pixels, 520, 295)]).toEqual(['red', 'blue'])
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'orientation %i is seen upright, scaled or not',
    async (orientation) => {
      const turned = await signpost(300, 400, { orientation })
      const second = await plain(300, 400, blue)
      const same = await compose(turned, second, 'side-by-side')
      const smaller = await compose(turned, await plain(300, 200, blue), 'side-by-side')
      expect([same.width, same.height]).toEqual([600, 400])
      expect([smaller.width, smaller.height]).toEqual([450, 200])
      for (const { pixels, seam, height } of [same, smaller]) {
        expect(colourAt(pixels, 10, 10)).toBe('red')
        expect(colourAt(pixels, seam - 10, 10)).toBe('green')
        expect(colourAt(pixels, 10, height - 10)).toBe('blue')
      }
      expect(await sharp(same.bytes).metadata()).not.toHaveProperty('orientation')
    },
  )

  test.each([2, 3, 4, 6])(
    'two pictures rotated alike (%i) are both rotated',
    async (orientation) => {
      const turned = await signpost(300, 400, { orientation })
      const { pixels, seam } = await compose(turned, turned, 'side-by-side')
      for (const left of [0, seam]) {
        expect(colourAt(pixels, left + 10, 10)).toBe('red')
        expect(colourAt(pixels, left + 290, 10)).toBe('green')
        expect(colourAt(pixels, left + 10, 390)).toBe('blue')
      }
    },
  )

  test('colours of another profile become those of the web, and no metadata is left', async () => {
    const wide = await sharp(await plain(300, 300, [234, 51, 35]))
      .withIccProfile('p3', { attach: true })
      .withExif({ IFD0: { Artist: 'someone', Copyright: 'a secret' } })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer()
    expect((await sharp(wide).metadata()).icc).toBeDefined()
    const shown = await pixelsOf(await sharp(wide).png().toBuffer())
    for (const second of [await plain(300, 300, blue, 'jpeg'), wide]) {
      const made = await compose(wide, second, 'side-by-side')
      const { icc, exif, xmp, iptc, space } = await sharp(made.bytes).metadata()
      expect({ icc, exif, xmp, iptc, space }).toEqual({ space: 'srgb' })
      expect(Buffer.from(made.bytes).includes('a secret')).toBe(false)
      const [r, g, b] = shown.at(150, 150) as [number, number, number]
      expect(isAbout(made.pixels.at(150, 150), [r, g, b], 6)).toBe(true)
    }
  })

  test('greys, palettes, sixteen bits and inks are drawn as what they show', async () => {
    const base = sharp(await plain(300, 300, [128, 128, 128]))
    const odd = {
      grey: await base.clone().greyscale().jpeg().toBuffer(),
      palette: await base.clone().png({ palette: true }).toBuffer(),
      deep: await base.clone().toColourspace('rgb16').png().toBuffer(),
      inks: await base.clone().toColourspace('cmyk').jpeg().toBuffer(),
    }
    for (const [name, picture] of Object.entries(odd)) {
      const made = await compose(picture, await plain(300, 300, blue), 'top-bottom')
      const [r, g, b] = (await pixelsOf(await sharp(picture).png().toBuffer())).at(150, 150)
      expect(isAbout(made.pixels.at(150, 150), [r!, g!, b!], 6), name).toBe(true)
      if (name !== 'inks') expect([r, g, b], name).toEqual([128, 128, 128])
      expect(colourAt(made.pixels, 150, 450), name).toBe('blue')
    }
  })

  test('transparency is kept; an alpha channel without transparency is dropped', async () => {
    const half = await clear(300, 300, red, 0.5)
    const made = await compose(half, await plain(300, 300, blue), 'side-by-side')
    expect(made.extension).toBe('png')
    expect(made.pixels.at(150, 150)).toEqual([...red, 128])
    expect(made.pixels.at(450, 150)).toEqual([...blue, 255])
    const opaque = await compose(
      await clear(300, 300, red, 1),
      await plain(300, 300, blue),
      'side-by-side',
    )
    expect(opaque.extension).toBe('jpg')
  })

  test('the first picture of an animation is used', async () => {
    const pages = [await plain(300, 300, red), await plain(300, 300, blue)]
    const moving = await sharp(pages, { join: { animated: true, across: 1 } })
      .webp({ lossless: true })
      .toBuffer()
    const made = await compose(moving, await plain(300, 300, blue), 'side-by-side')
    expect([made.width, made.height]).toEqual([600, 300])
    expect(colourAt(made.pixels, 150, 150)).toBe('red')
  })
})

describe('a composition with a new layout', () => {
  test('can be split at its seam, swapped and rotated', async () => {
    const made = await compose(
      await plain(200, 400, red),
      await plain(300, 400, blue),
      'side-by-side',
    )
    const picture = await inspectPicture(made.bytes)
    const [first, second] = partsOf(made, made)
    expect(first).toEqual({ left: 0, top: 0, width: 200, height: 400 })
    expect(second).toEqual({ left: 200, top: 0, width: 300, height: 400 })

    const swapped = await composeParts(picture, [second, first], 'side-by-side')
    const pixels = await pixelsOf(swapped.bytes)
    expect([swapped.width, swapped.height, swapped.seam]).toEqual([500, 400, 300])
    expect([colourAt(pixels, 5, 5), colourAt(pixels, 495, 395)]).toEqual(['blue', 'red'])

    const turned = await composeParts(picture, [first, second], 'top-bottom')
    const turnedPixels = await pixelsOf(turned.bytes)
    expect([turned.width, turned.height, turned.seam]).toEqual([200, 400 + 267, 400])
    expect(colourAt(turnedPixels, 5, 5)).toBe('red')
    expect(colourAt(turnedPixels, 195, 660)).toBe('blue')
    expect(partsOf(turned, turned)[1]).toEqual({ left: 0, top: 400, width: 200, height: 267 })
  })
})
