/**
 * A picture cut into tiles for the network, so that its size costs time and not memory. Each tile is
 * seen with a margin as wide as the network looks around, so that no seam shows; past the picture's
 * edge the margin mirrors it, because the network would take emptiness for a dark border.
 */
export type Tile = {
  /** What this tile contributes, in pixels of the picture. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export type Pixels = {
  /** Interleaved, 8 bits each: red, green, blue and perhaps alpha. */
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: number
}

export const tileSide = 128
/** At this distance nothing that a pixel is made of changes any more. */
export const tileMargin = 10
const colours = 3

export function tilesOf({ width, height }: { width: number; height: number }): Tile[] {
  const tiles: Tile[] = []
  for (let top = 0; top < height; top += tileSide)
    for (let left = 0; left < width; left += tileSide)
      tiles.push({
        left,
        top,
        width: Math.min(tileSide, width - left),
        height: Math.min(tileSide, height - top),
      })
  return tiles
}

/** The tile with its margin as the network reads it: one colour after the other. */
export function readTile(picture: Pixels, tile: Tile) {
  const width = tile.width + 2 * tileMargin
  const height = tile.height + 2 * tileMargin
  const size = width * height
  const planes = new Float32Array(colours * size)
  for (let y = 0; y < height; y++) {
    const row = mirrored(tile.top + y - tileMargin, picture.height) * picture.width
    for (let x = 0; x < width; x++) {
      const column = mirrored(tile.left + x - tileMargin, picture.width)
      const source = (row + column) * picture.channels
      for (let colour = 0; colour < colours; colour++)
        planes[colour * size + y * width + x] = picture.data[source + colour] ?? 0
    }
  }
  return { planes, width, height }
}

/** Puts what the network made of a tile into its place, without the margin. */
export function writeTile(enlarged: Pixels, tile: Tile, made: Float32Array, scale: number): void {
  const margin = tileMargin * scale
  const width = (tile.width + 2 * tileMargin) * scale
  const size = width * (tile.height + 2 * tileMargin) * scale
  for (let y = 0; y < tile.height * scale; y++) {
    let target = ((tile.top * scale + y) * enlarged.width + tile.left * scale) * enlarged.channels
    let source = (y + margin) * width + margin
    for (let x = 0; x < tile.width * scale; x++) {
      for (let colour = 0; colour < colours; colour++)
        enlarged.data[target + colour] = toByte(made[colour * size + source] ?? 0)
      target += enlarged.channels
      source += 1
    }
  }
}

function toByte(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)))
}

/** The place within 0 … length − 1 that lies behind the mirror at either end. */
function mirrored(position: number, length: number): number {
  const period = 2 * length
  const wrapped = ((position % period) + period) % period
  return wrapped < length ? wrapped : period - 1 - wrapped
}
