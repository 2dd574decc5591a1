/** Both providers on real pictures: their quality, and artefacts that must never appear. */
import { afterAll, describe, expect, test } from 'vitest'
import { createEnhancers } from '../../src/server/features/enhancement/create-enhancers.ts'
import { ProviderUnavailable } from '../../src/server/features/enhancement/enhancer.ts'
import { framePicture } from '../../src/server/features/enhancement/frame.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import { inspectPicture } from '../../src/server/media/picture.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

type Raw = { data: Buffer; width: number; height: number; channels: 3 | 4 }

const enhancers = createEnhancers()
// Machines that run tests are busy: this tests quality, not speed.
const patience = { budgetMs: 280_000 }

afterAll(() => enhancers.close())

async function enhance(
  provider: 'provider_a' | 'provider_b',
  png: Buffer,
  signal = AbortSignal.timeout(patience.budgetMs),
): Promise<Raw> {
  const frame = await framePicture(await inspectPicture(png), 'png')
  const made = await enhancers.providers[provider].enhance(frame, { ...patience, signal })
  return rawOf(Buffer.from(made ?? []))
}

async function rawOf(bytes: Buffer): Promise<Raw> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  return { data, width, height, channels: info.channels === 4 ? 4 : 3 }
}

const pngOf = ({ data, ...raw }: Raw) => sharp(data, { raw }).png().toBuffer()

/** Returns the similarity of two pictures in decibels (PSNR). */
function likeness(one: Buffer, other: Buffer): number {
  const sum = one.reduce((total, value, index) => total + (value - other[index]!) ** 2, 0)
  return 10 * Math.log10((255 * 255) / (sum / one.length))
}

/** Draws waves and noise, so that there is detail everywhere. */
function scene(width: number, height: number): Raw {
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let colour = 0; colour < 3; colour++) {
        const wave = Math.sin(x / (3 + colour)) + Math.cos((y + x / 2) / 5)
        data[(y * width + x) * 3 + colour] = 128 + wave * 50 + ((x * 31 + y * 17) % 13)
      }
  return { data, width, height, channels: 3 }
}

describe('provider_b', () => {
  const photographs = [
    'photo-prairie_falcon.jpg',
    'photo-el_torcal_rocks.jpg',
    'photo-cyclamen_persicum.jpg',
    'photo-denali.webp',
  ]

  testShared(
    'restores 1.5 dB more of a reduced photograph than Lanczos does',
    async () => {
      const side = 256
      const gains: number[] = []
      for (const name of photographs) {
        const file = sharedFile(`corpora/media/${name}`)
        const { width, height } = await sharp(file).metadata()
        const [left, top] = [(width - side) >> 1, (height - side) >> 1]
        const original = await rawOf(
          await sharp(file).extract({ left, top, width: side, height: side }).png().toBuffer(),
        )
        const small = await sharp(await pngOf(original))
          .resize(side / 2)
          .png()
          .toBuffer()
        const lanczos = await rawOf(await sharp(small).resize(side).png().toBuffer())
        const made = await enhance('provider_b', small)
        gains.push(likeness(original.data, made.data) - likeness(original.data, lanczos.data))
      }
      const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
      expect(mean).toBeGreaterThan(1.5)
      expect(Math.min(...gains)).toBeGreaterThan(0.5)
      return gains.length
    },
    300_000,
  )

  test(
    'shows no seams: the position of its tiles makes no difference',
    { timeout: 300_000 },
    async () => {
      const whole = scene(200, 150)
      const shift = 37
      const cut = await sharp(await pngOf(whole))
        .extract({ left: shift, top: 0, width: 200 - shift, height: 150 })
        .png()
        .toBuffer()
      const [one, other] = [
        await enhance('provider_b', await pngOf(whole)),
        await enhance('provider_b', cut),
      ]
      let max = 0
      // Near the cut, the second picture has other surroundings than the first.
      for (let y = 0; y < one.height; y++)
        for (let x = 20; x < other.width; x++)
          for (let colour = 0; colour < 3; colour++) {
            const inOne = one.data[(y * one.width + x + shift * 2) * 3 + colour]!
            const inOther = other.data[(y * other.width + x) * 3 + colour]!
            max = Math.max(max, Math.abs(inOne - inOther))
          }
      expect(max).toBeLessThanOrEqual(1)
    },
  )

  test('draws nothing of transparent pixels into the edge', { timeout: 300_000 }, async () => {
    const side = 60
    const data = Buffer.alloc(side * side * 4)
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++)
        if (Math.hypot(x - 30, y - 30) < 20) data.set([220, 30, 40, 255], (y * side + x) * 4)
    const sent = await pngOf({ data, width: side, height: side, channels: 4 })
    const made = await enhance('provider_b', sent)
    expect(made.channels).toBe(4)
    const seen = Array.from({ length: made.width * made.height }, (_, pixel) =>
      made.data.subarray(pixel * 4, pixel * 4 + 4),
    ).filter((pixel) => pixel[3]! > 0)
    for (const [red, green, blue] of seen) {
      expect(Math.abs(red! - 220)).toBeLessThan(8)
      expect(Math.abs(green! - 30)).toBeLessThan(8)
      expect(Math.abs(blue! - 40)).toBeLessThan(8)
    }
    const alpha = await sharp(sent)
      .extractChannel('alpha')
      .resize(side * 2, side * 2)
      .raw()
      .toBuffer()
    expect(Buffer.from(made.data.filter((_, index) => index % 4 === 3))).toEqual(alpha)
  })

  test(
    'stops in the middle on abort, and works on the next picture',
    { timeout: 300_000 },
    async () => {
      const ending = new AbortController()
      const running = enhance('provider_b', await pngOf(scene(600, 600)), ending.signal)
      setTimeout(() => ending.abort(new Error('enough')), 1500)
      await expect(running).rejects.toThrow('enough')
      expect(await enhance('provider_b', await pngOf(scene(20, 20)))).toMatchObject({ width: 40 })
    },
  )

  test('refuses more than a million pixels for lack of time', async () => {
    const large = await pngOf(scene(1025, 1024))
    await expect(enhance('provider_b', large)).rejects.toBeInstanceOf(ProviderUnavailable)
  })
})

describe('provider_a', () => {
  test('removes noise: the result is closer to the original than Lanczos alone', async () => {
    const original = scene(240, 180)
    const small = await rawOf(
      await sharp(await pngOf(original))
        .resize(120)
        .png()
        .toBuffer(),
    )
    let seed = 1
    for (let index = 0; index < small.data.length; index++) {
      seed = (seed * 48_271) % 2_147_483_647
      small.data[index] = Math.max(0, Math.min(255, small.data[index]! + (seed % 41) - 20))
    }
    const noisy = await pngOf(small)
    const lanczos = await rawOf(await sharp(noisy).resize(240).png().toBuffer())
    const made = await enhance('provider_a', noisy)
    expect(likeness(original.data, made.data)).toBeGreaterThan(
      likeness(original.data, lanczos.data) + 0.3,
    )
  })

  test('keeps colours and transparency', async () => {
    const data = Buffer.alloc(32 * 32 * 4)
    for (let pixel = 0; pixel < 32 * 32; pixel++)
      data.set(pixel % 32 < 16 ? [220, 30, 40, 255] : [0, 0, 0, 0], pixel * 4)
    const made = await enhance(
      'provider_a',
      await pngOf({ data, width: 32, height: 32, channels: 4 }),
    )
    expect([...made.data.subarray(0, 4)]).toEqual([220, 30, 40, 255])
    expect(made.data[63 * 4 + 3]).toBe(0)
  })

  test('does not start for a caller that has aborted', async () => {
    const gone = AbortSignal.abort(new Error('gone'))
    await expect(enhance('provider_a', await pngOf(scene(20, 20)), gone)).rejects.toThrow('gone')
  })
})
