/** The card of a link: always one size, cropped around the focus, small enough, and upright. */
import { expect, test } from 'vitest'
import { drawCard } from '../../src/server/media/link-card.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { inspectPicture } from '../../src/server/media/picture.ts'
import {
  clear,
  colourAt,
  green,
  noise,
  pixelsOf,
  plain,
  red,
  signpost,
} from '../support/pictures.ts'
import { privateJpeg, secrets } from '../support/sample-media.ts'

type Focus = Parameters<typeof drawCard>[1]

async function cardOf(bytes: Uint8Array, focus: Focus = null): Promise<Buffer> {
  const card = await drawCard(await inspectPicture(bytes), focus)
  const { format, width, height } = await sharp(card).metadata()
  expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
  return card
}

test('a picture of any shape fills the card', async () => {
  const shapes = [
    [3000, 2000],
    [1200, 630],
    [300, 200],
    [16, 4000],
    [4000, 16],
    [1, 1],
    [1, 5000],
    [5000, 1],
  ] as const
  for (const [width, height] of shapes) await cardOf(await plain(width, height, red))
})

test('a tall picture is cropped around its focus, or around its centre', async () => {
  const half = { width: 800, height: 1200, channels: 3 } as const
  const tall = await sharp({ create: { ...half, height: 2400, background: toCss(red) } })
    .composite([{ input: { create: { ...half, background: toCss(green) } }, left: 0, top: 1200 }])
    .png()
    .toBuffer()
  const coloursOf = async (focus: Focus) => {
    const pixels = await pixelsOf(await cardOf(tall, focus))
    return [colourAt(pixels, 600, 20), colourAt(pixels, 600, 610)]
  }
  expect(await coloursOf(null)).toEqual(['red', 'green'])
  expect(await coloursOf({ x: 0.5, y: 0 })).toEqual(['red', 'red'])
  expect(await coloursOf({ x: 0.5, y: 0.2 })).toEqual(['red', 'red'])
  expect(await coloursOf({ x: 0.5, y: 1 })).toEqual(['green', 'green'])
})

test('a picture of a camera is turned upright first', async () => {
  for (const orientation of [1, 3, 6, 8]) {
    const pixels = await pixelsOf(await cardOf(await signpost(1200, 630, { orientation })))
    expect(colourAt(pixels, 100, 100), `orientation ${orientation}`).toBe('red')
    expect(colourAt(pixels, 1100, 100), `orientation ${orientation}`).toBe('green')
    expect(colourAt(pixels, 600, 600), `orientation ${orientation}`).toBe('blue')
  }
})

test('the first page of an animation is drawn, and transparent parts are dark', async () => {
  const frames = await Promise.all([plain(400, 300, red), plain(400, 300, green)])
  const animation = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer()
  expect((await inspectPicture(animation)).pages).toBe(2)
  expect(colourAt(await pixelsOf(await cardOf(animation)), 600, 300)).toBe('red')
  const { at } = await pixelsOf(await cardOf(await clear(400, 300, red, 0)))
  expect(Math.max(...at(600, 300).slice(0, 3))).toBeLessThan(30)
})

test('a picture that no encoder can compress still fits', async () => {
  const card = await cardOf(await noise(1300, 900, 'png'))
  expect(card.length).toBeLessThanOrEqual(300_000)
})

test('private metadata stays behind', async () => {
  const card = await cardOf(await privateJpeg())
  for (const secret of secrets) expect(card.includes(secret)).toBe(false)
  const { exif, xmp } = await sharp(card).metadata()
  expect([exif, xmp]).toEqual([undefined, undefined])
})

function toCss([r, g, b]: readonly number[]): string {
  return `rgb(${r}, ${g}, ${b})`
}
