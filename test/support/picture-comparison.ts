/**
 * Compares a screenshot with a reference at half its size, tile by tile. Another Chromium version smooths
 * letters differently but moves nothing: that changes many tiles a little and none much. A block that moved,
 * disappeared, or lost its font or theme changes some tiles a lot.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { sharp } from '../../src/server/media/libvips.ts'

/** In pixels of the reference; a tile is 16 pixels wide on the screen. */
const tileSize = 8
/**
 * The maximum mean difference of a tile, out of 255. The compression of a reference causes up to 6, a screen
 * of twice the resolution up to 11. A missing icon of 18 pixels causes 17, a line that moved by 8 pixels 15,
 * text in another font 50 and more.
 */
const maxDifference = 12

type Tile = { readonly left: number; readonly top: number; readonly difference: number }

/**
 * Returns null when the screenshot matches its reference, else a message. With UPDATE_PICTURES=1 a screenshot
 * without a matching reference becomes the reference.
 */
export async function compareWithReference(
  screenshot: Buffer,
  file: string,
  viewportWidth: number,
): Promise<string | null> {
  const half = sharp(screenshot).resize({ width: Math.round(viewportWidth / 2) })
  const actual = await half.png().toBuffer()
  const tiles = existsSync(file) ? await differingTiles(actual, await readFile(file)) : null
  if (tiles?.length === 0) return null
  if (process.env['UPDATE_PICTURES'] === '1') {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, await packed(actual))
    return null
  }
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-picture-'))
  await writeFile(join(folder, 'actual.png'), screenshot)
  if (tiles === null) return `${basename(file)} has no reference; the picture is in ${folder}`
  await writeFile(join(folder, 'diff.png'), await outlined(actual, tiles))
  const [worst] = tiles
  return (
    `${basename(file)} differs in ${tiles.length} tiles, max (${worst?.difference.toFixed(0)}) at ` +
    `${(worst?.left ?? 0) * 2}, ${(worst?.top ?? 0) * 2}: see actual.png and diff.png in ${folder}`
  )
}

/** Compresses as far as text stays sharp: below 20 KB each. */
function packed(picture: Buffer): Promise<Buffer> {
  return sharp(picture).webp({ quality: 92, smartSubsample: true, effort: 6 }).toBuffer()
}

/** Returns the tiles that differ by more than the limit, the worst first. */
async function differingTiles(actual: Buffer, reference: Buffer): Promise<Tile[]> {
  const [one, other] = await Promise.all([smooth(actual), smooth(reference)])
  if (one.width !== other.width || one.height !== other.height)
    throw new Error(
      `the picture is ${one.width}x${one.height}, its reference ${other.width}x${other.height}`,
    )
  const tiles: Tile[] = []
  for (let top = 0; top < one.height; top += tileSize) {
    for (let left = 0; left < one.width; left += tileSize) {
      const difference = differenceIn(one, other, left, top)
      if (difference > maxDifference) tiles.push({ left, top, difference })
    }
  }
  return tiles.toSorted((first, second) => second.difference - first.difference)
}

/** Returns the picture with the differing tiles in red. */
function outlined(picture: Buffer, tiles: readonly Tile[]): Promise<Buffer> {
  const background = { r: 255, g: 0, b: 0, alpha: 0.5 }
  const create = { width: tileSize, height: tileSize, channels: 4, background } as const
  const marks = tiles.map(({ left, top }) => ({ input: { create }, left, top }))
  return sharp(picture).composite(marks).png().toBuffer()
}

type Pixels = { readonly data: Buffer; readonly width: number; readonly height: number }

/** Blurs slightly: browsers differ at the edges of letters. */
async function smooth(picture: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .blur(1.5)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Returns the mean over a tile's pixels of the difference of their worst channel. */
function differenceIn(one: Pixels, other: Pixels, left: number, top: number): number {
  const right = Math.min(left + tileSize, one.width)
  const bottom = Math.min(top + tileSize, one.height)
  let sum = 0
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const at = (y * one.width + x) * 3
      sum += Math.max(
        ...[0, 1, 2].map((channel) =>
          Math.abs((one.data[at + channel] ?? 0) - (other.data[at + channel] ?? 0)),
        ),
      )
    }
  }
  return sum / ((right - left) * (bottom - top))
}
