/** Covered detail is gone: sources that differ only in detail finer than a cell give the same pixels. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CoverMode, RelativeRegion } from '../../src/contract/cover-grid.ts'
import { regionIn } from '../../src/contract/cover-grid.ts'
import type { Canvas } from '../../src/server/features/picture-tools/cover-regions.ts'
import { coverRegions } from '../../src/server/features/picture-tools/cover-regions.ts'

const modes: readonly CoverMode[] = ['blur', 'pixelate', 'bar']
const strengths = [1, 5, 10]

function canvas(width: number, height: number, channels: 3 | 4 = 3): Canvas {
  return { data: Buffer.alloc(width * height * channels), width, height, channels }
}

/** Draws every pixel as a function of its position. */
function draw(target: Canvas, value: (x: number, y: number, channel: number) => number): Canvas {
  const { data, width, height, channels } = target
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < channels; channel += 1)
        data[(y * width + x) * channels + channel] = value(x, y, channel)
  return target
}

/** Draws a gentle slope with a fine pattern. `sign` inverts the pattern. */
const patterned = (sign: 1 | -1) =>
  draw(canvas(320, 320), (x, y, channel) => {
    const slope = 60 + (Math.floor(x / 16) + Math.floor(y / 16)) * 3 + channel * 10
    return slope + sign * ((x + y) % 2 === 0 ? 40 : -40)
  })

/** Draws noise and covers a region. One pixel of the source may be changed to black or white. */
async function coveredNoise(
  region: RelativeRegion,
  options: { mode: CoverMode; strength: number; changed?: readonly [number, number] },
) {
  let state = 7
  const noisy = draw(canvas(100, 100), () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
  const [x, y] = options.changed ?? [0, 0]
  const at = (y * 100 + x) * 3
  if (options.changed) noisy.data.fill(noisy.data[at]! < 128 ? 255 : 0, at, at + 3)
  await coverRegions(noisy, [region], options)
  return noisy.data
}

describe.each(modes)('%s', (mode) => {
  test.each(strengths)(
    'with strength %i removes every detail finer than a cell',
    async (strength) => {
      const regions = [{ x: 0, y: 0, width: 1, height: 1 }]
      const [one, other] = [patterned(1), patterned(-1)]
      expect(one.data.equals(other.data)).toBe(false)
      await coverRegions(one, regions, { mode, strength })
      await coverRegions(other, regions, { mode, strength })
      expect(one.data.equals(other.data)).toBe(true)
    },
  )

  test('changes nothing else', async () => {
    const before = patterned(1)
    const after = patterned(1)
    const region = { x: 0.25, y: 0.5, width: 0.25, height: 0.25 }
    await coverRegions(after, [region], { mode, strength: 5 })
    const covered = regionIn(after, region)
    let changed = 0
    for (let y = 0; y < 320; y += 1)
      for (let x = 0; x < 320; x += 1) {
        const index = (y * 320 + x) * 3
        const isSame = [0, 1, 2].every((c) => before.data[index + c] === after.data[index + c])
        const isInside =
          x >= covered.left &&
          x < covered.left + covered.width &&
          y >= covered.top &&
          y < covered.top + covered.height
        if (!isInside) expect(isSame).toBe(true)
        if (!isSame) changed += 1
      }
    // Every covered pixel changed: the source has two values, and the cell has neither.
    expect(changed).toBe(80 * 80)
  })

  test('has few values: no more than its cells have', async () => {
    let state = 7
    const noisy = draw(canvas(200, 200), () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    })
    await coverRegions(noisy, [{ x: 0, y: 0, width: 1, height: 1 }], { mode, strength: 1 })
    const steps = Array.from({ length: 199 }, (_, x) =>
      Math.abs(noisy.data[x * 3]! - noisy.data[(x + 1) * 3]!),
    )
    if (mode === 'bar') expect(Math.max(...steps)).toBe(0)
    // Four cells have three borders. Inside a cell nothing changes.
    else if (mode === 'pixelate') expect(steps.filter((step) => step > 0).length).toBeLessThan(4)
    // Smooth everywhere. Noise has steps of 85 on average.
    else expect(Math.max(...steps)).toBeLessThan(12)
  })

  test('of any size and position reveals no more about a pixel than its whole cell does', async () => {
    const sizes = [1, 2, 7, 15, 16, 17, 31, 33, 47, 50, 100] as const
    const seen = new Set<string>()
    for (const width of sizes)
      for (const height of sizes)
        for (const start of [0, 0.5, 0.9]) {
          const region = { x: start, y: start, width: width / 100, height: height / 100 }
          const { left, top, ...covered } = regionIn({ width: 100, height: 100 }, region)
          // A region that reaches past the edge is cut off there.
          const pixels = [left, top, covered.width, covered.height].join()
          if (seen.has(pixels)) continue
          seen.add(pixels)
          const [right, bottom] = [left + covered.width - 1, top + covered.height - 1]
          const indexes = [
            [left, top],
            [right, bottom],
            [right, top],
            [left, bottom],
          ] as const
          for (const strength of [1, 10]) {
            const before = await coveredNoise(region, { mode, strength })
            for (const index of indexes) {
              const after = await coveredNoise(region, { mode, strength, changed: index })
              for (let y = top; y <= bottom; y += 1)
                for (let x = left; x <= right; x += 1) {
                  const at = (y * 100 + x) * 3
                  // One of 256 pixels changed as much as possible. A blurred value is rounded twice.
                  if (Math.abs(before[at]! - after[at]!) > (mode === 'blur' ? 2 : 1))
                    expect.fail(
                      `${index.join()} of ${width} × ${height} at ${left} shows at ${x}, ${y}`,
                    )
                }
            }
          }
        }
  })

  test('works with every number of channels, and covers transparency', async () => {
    for (const channels of [3, 4] as const) {
      const picture = draw(canvas(40, 40, channels), (x) => (x * 6) % 256)
      const size = picture.data.length
      await coverRegions(picture, [{ x: 0, y: 0, width: 1, height: 1 }], { mode, strength: 10 })
      expect(picture.data.length).toBe(size)
      if (mode === 'bar' && channels === 4) expect(picture.data[channels - 1]).toBe(255)
    }
  })
})

test('a pixel of a mosaic is the average of its cell', async () => {
  const picture = draw(canvas(64, 64), (x, y) => (x < 32 ? 10 : 200) + (y < 32 ? 0 : 40))
  await coverRegions(picture, [{ x: 0, y: 0, width: 1, height: 1 }], {
    mode: 'pixelate',
    strength: 6,
  })
  const at = (x: number, y: number) => picture.data[(y * 64 + x) * 3]
  expect([at(0, 0), at(31, 31), at(32, 0), at(63, 31), at(0, 63), at(63, 63)]).toEqual([
    10, 10, 200, 200, 50, 240,
  ])
})

test('more strength gives fewer cells, and small regions have coarse ones all the same', async () => {
  const cellsOf = async (side: number, strength: number) => {
    const slope = draw(canvas(side, side), (x) => Math.round((x * 255) / side))
    await coverRegions(slope, [{ x: 0, y: 0, width: 1, height: 1 }], { mode: 'pixelate', strength })
    return new Set(slope.data.subarray(0, side * 3)).size
  }
  expect([await cellsOf(440, 1), await cellsOf(440, 5), await cellsOf(440, 10)]).toEqual([4, 3, 1])
  expect([await cellsOf(32, 1), await cellsOf(15, 1)]).toEqual([2, 1])
})

test('regions are rounded outward, cut at the edge, and never empty', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const length = fc.double({ min: Number.MIN_VALUE, max: 1, noNaN: true })
  const side = fc.integer({ min: 1, max: 5000 })
  fc.assert(
    fc.property(side, side, share, share, length, length, (width, height, x, y, w, h) => {
      const region = regionIn({ width, height }, { x, y, width: w, height: h })
      const [right, bottom] = [region.left + region.width, region.top + region.height]
      expect(region.left).toBeLessThanOrEqual(x * width)
      expect(region.top).toBeLessThanOrEqual(y * height)
      expect(right).toBeGreaterThanOrEqual(Math.min((x + w) * width, width))
      expect(bottom).toBeGreaterThanOrEqual(Math.min((y + h) * height, height))
      expect(region.left >= 0 && region.top >= 0 && right <= width && bottom <= height).toBe(true)
      expect(region.width >= 1 && region.height >= 1).toBe(true)
      for (const value of Object.values(region)) expect(Number.isSafeInteger(value)).toBe(true)
    }),
  )
})
