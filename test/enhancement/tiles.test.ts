import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spreadColours } from '../../src/server/features/enhancement/providers/hidden-colours.ts'
import type { Pixels } from '../../src/server/features/enhancement/providers/tiles.ts'
import {
  readTile,
  tileMargin,
  tilesOf,
  writeTile,
} from '../../src/server/features/enhancement/providers/tiles.ts'

const size = fc.record({
  width: fc.integer({ min: 1, max: 300 }),
  height: fc.integer({ min: 1, max: 300 }),
})

function noise({ width, height }: { width: number; height: number }, channels = 3): Pixels {
  const data = new Uint8Array(width * height * channels)
  for (let index = 0; index < data.length; index++) data[index] = (index * 97 + 13) % 256
  return { data, width, height, channels }
}

/** Doubles every pixel in both directions, as the simplest network would. */
function doubled({ planes, width, height }: ReturnType<typeof readTile>): Float32Array {
  const made = new Float32Array(planes.length * 4)
  for (let colour = 0; colour < 3; colour++)
    for (let y = 0; y < height * 2; y++)
      for (let x = 0; x < width * 2; x++)
        made[(colour * height * 2 + y) * width * 2 + x] =
          planes[(colour * height + (y >> 1)) * width + (x >> 1)]!
  return made
}

test('tiles cover every pixel exactly once', () => {
  fc.assert(
    fc.property(size, ({ width, height }) => {
      const seen = new Uint8Array(width * height)
      for (const tile of tilesOf({ width, height }))
        for (let y = 0; y < tile.height; y++)
          for (let x = 0; x < tile.width; x++) seen[(tile.top + y) * width + tile.left + x]! += 1
      expect(seen.every((count) => count === 1)).toBe(true)
    }),
    { numRuns: 20 },
  )
})

test('writing back what was read from tiles gives the picture, each pixel four times', () => {
  fc.assert(
    fc.property(size, fc.constantFrom(3, 4), (size, channels) => {
      const picture = noise(size, channels)
      const [width, height] = [size.width * 2, size.height * 2]
      const enlarged = { data: new Uint8Array(width * height * channels), width, height, channels }
      for (const tile of tilesOf(picture))
        writeTile(enlarged, tile, doubled(readTile(picture, tile)), 2)
      for (let y = 0; y < height; y += 7)
        for (let x = 0; x < width; x += 5)
          for (let colour = 0; colour < 3; colour++)
            expect(enlarged.data[(y * width + x) * channels + colour]).toBe(
              picture.data[((y >> 1) * size.width + (x >> 1)) * channels + colour],
            )
    }),
    { numRuns: 10 },
  )
})

test('past the edge a tile contains the picture’s mirror image', () => {
  const picture = noise({ width: 5, height: 4 })
  const { planes, width } = readTile(picture, tilesOf(picture)[0]!)
  const at = (x: number, y: number) => planes[(y + tileMargin) * width + x + tileMargin]
  expect(at(-1, 0)).toBe(at(0, 0))
  expect(at(-3, 2)).toBe(at(2, 2))
  expect(at(5, 1)).toBe(at(4, 1))
  expect(at(1, 4)).toBe(at(1, 3))
  expect(at(-7, -5)).toBe(at(3, 3))
})

describe('colours under transparent pixels', () => {
  /** Returns one row: opaque red on the left, the rest transparent black. */
  const row = () => {
    const data = new Uint8Array(8 * 4)
    data.set([200, 10, 20, 255])
    return { data, width: 8, height: 1, channels: 4 }
  }

  test('are those of the edge, up to the given distance', () => {
    const pixels = row()
    spreadColours(pixels, 3)
    const reds = Array.from({ length: 8 }, (_, x) => pixels.data[x * 4])
    expect(reds).toEqual([200, 200, 200, 200, 0, 0, 0, 0])
    const alphas = Array.from({ length: 8 }, (_, x) => pixels.data[x * 4 + 3])
    expect(alphas).toEqual([255, 0, 0, 0, 0, 0, 0, 0])
  })

  test('do not wrap around from the other side of the picture', () => {
    const data = new Uint8Array(3 * 2 * 4)
    data.set([200, 0, 0, 255], 2 * 4)
    const pixels = { data, width: 3, height: 2, channels: 4 }
    spreadColours(pixels, 1)
    // This pixel follows in memory, but is the first of the second row.
    expect(pixels.data[3 * 4]).toBe(0)
    expect(pixels.data[1 * 4]).toBe(200)
    expect(pixels.data[5 * 4]).toBe(200)
  })

  test('of a fully transparent picture stay unchanged', () => {
    const pixels = { data: new Uint8Array(64), width: 4, height: 4, channels: 4 }
    spreadColours(pixels, 10)
    expect(pixels.data.every((value) => value === 0)).toBe(true)
  })
})
