/**
 * Cuts a picture into tiles for the network, so that a larger picture needs more time but not more
 * memory. Each tile includes a margin as wide as the network's view, so that no seams are visible. Beyond
 * the picture's edge the margin mirrors the picture, because the network would treat empty pixels as a
 * dark border.
 */
export type Tile = {
  /** The tile's rectangle without its margin, in pixels of the picture. */
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export type Pixels = {
  /** Interleaved with 8 bits each: red, green, blue and optionally alpha. */
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: number
}

export const tileSide = 128
/** The distance beyond which no pixel affects the result. */
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

/** Reads the tile with its margin in the network's format: one colour plane after the other. */
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

/** Writes the network's result for a tile to its position, without the margin. */
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

/** Returns the position within 0 … length − 1, mirrored at both ends. */
function mirrored(position: number, length: number): number {
  const period = 2 * length
  const wrapped = ((position % period) + period) % period
  return wrapped < length ? wrapped : period - 1 - wrapped
}
