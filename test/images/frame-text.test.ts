/**
 * Text on pictures: any text is drawn, left out or refused. It fits inside the frame and is readable on
 * any background.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { drawText, IllegibleText } from '../../src/server/features/picture-tools/frame-text.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

async function sizeOf(input: Buffer) {
  const { width, height } = await sharp(input).metadata()
  return { width, height }
}

async function expectInside(text: string, sizePx: number) {
  const overlay = await drawText(text, sizePx)
  if (!overlay) return null
  const { width, height } = await sizeOf(overlay.input)
  expect(overlay.left, text).toBeGreaterThanOrEqual(0)
  expect(overlay.top, text).toBeGreaterThanOrEqual(0)
  expect(overlay.left + width, text).toBeLessThanOrEqual(sizePx)
  expect(overlay.top + height, text).toBeLessThanOrEqual(sizePx)
  return { ...overlay, width, height }
}

test('a short text is one line at the bottom, in the middle', async () => {
  const overlay = (await expectInside('Breathe', 512))!
  expect(overlay.height).toBeLessThan(80)
  expect(overlay.top).toBeGreaterThan(400)
  expect(Math.abs(overlay.left - (512 - overlay.left - overlay.width))).toBeLessThanOrEqual(1)
})

test('a long text is wrapped and made smaller until it fits', async () => {
  const short = (await expectInside('Breathe in', 256))!
  const long = (await expectInside('Breathe in and out. '.repeat(10), 256))!
  expect(long.height).toBeGreaterThan(short.height * 3)
  await expectInside('Breathe in and out. '.repeat(10), 128)
  await expectInside('W'.repeat(200), 256)
})

describe('unreadable text is refused', () => {
  test.each([
    ['two hundred wide letters in the smallest frame', 'W'.repeat(200), 128],
    ['a hundred lines', 'a\n'.repeat(100), 512],
    ['twenty-five lines in a small frame', 'obey\n'.repeat(25), 256],
    ['a letter under a heap of accents', `a${'\u0301'.repeat(199)}`, 256],
  ])('%s', async (_, text, sizePx) => {
    await expect(drawText(text, sizePx)).rejects.toThrow(/too long for the picture/)
  })

  test.each(['你好', 'Look 👀', 'हिन्दी', '한글'])(
    '%s, which the font cannot draw',
    async (text) => {
      await expect(drawText(text, 512)).rejects.toThrow(/characters that cannot be drawn/)
    },
  )

  test.each(['Grüße, señor', 'Ждите', 'Ελλάδα', 'Việt Nam', 'مرحبا', 'שלום', '☺ ♥ ∑ 𝔄', '❤\ufe0f'])(
    '%s, which it can, is drawn',
    async (text) => {
      expect(await expectInside(text, 512)).not.toBeNull()
    },
  )
})

test('it is readable on white, on black, and between', async () => {
  const overlay = (await drawText('Look here', 512))!
  for (const level of [0, 128, 255]) {
    const background = { r: level, g: level, b: level }
    const frame = { create: { width: 512, height: 512, channels: 3 as const, background } }
    const { data } = await sharp(frame)
      .composite([overlay])
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const isWhite = data.filter((value) => value > 240).length
    const isBlack = data.filter((value) => value < 15).length
    // White letters and their black outline are both present, and the rest is unchanged.
    if (level < 255) expect(isWhite).toBeGreaterThan(2000)
    if (level > 0) expect(isBlack).toBeGreaterThan(2000)
    expect(data.filter((value) => value === level).length).toBeGreaterThan(512 * 512 * 0.9)
  }
})

test('markup is shown as text', async () => {
  const literal = (await drawText('<b>&amp;</b>', 512))!
  const obeyed = (await drawText('&', 512))!
  expect((await sizeOf(literal.input)).width).toBeGreaterThan(
    (await sizeOf(obeyed.input)).width * 3,
  )
  await expectInside('<span size="500000">&#0;</span>', 256)
})

describe('invisible characters', () => {
  test.each(['', '   ', '\n\n', '\u200b\u200d', '\u202e', '\u0301', '\ufeff', '\u0007'])(
    '%j is left out',
    async (text) => {
      expect(await drawText(text, 256)).toBeNull()
    },
  )
})

testShared('every naughty string is drawn inside the frame, left out or refused', async () => {
  const strings = JSON.parse(
    readFileSync(sharedFile('corpora/strings/blns.json'), 'utf8'),
  ) as string[]
  const drawable = strings
    .filter((text) => text.isWellFormed() && !text.includes('\u0000'))
    .map((text) => text.slice(0, 200).toWellFormed())
  let drawn = 0
  let illegible = 0
  for (const text of drawable)
    try {
      if (await expectInside(text, 128)) drawn += 1
    } catch (error) {
      if (!(error instanceof IllegibleText)) throw error
      illegible += 1
    }
  console.info(`${drawn} of ${drawable.length} strings are seen, ${illegible} refused`)
  return drawable.length
})
