/**
 * Covers regions of a picture so that nothing can be made of what was there. Only averages over
 * coarse cells are left of it, or nothing at all; they are taken from the pixels before the picture
 * is packed again, so what lies below a cell's size is in no byte of the result.
 */
import { setImmediate } from 'node:timers/promises'
import { sharp } from '../../platform/libvips.ts'

export type CoverMode = 'blur' | 'pixelate' | 'bar'

/** Pixels as they lie in memory, row by row; changed in place. */
export type Canvas = {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
}

/** In parts of the picture's width and height. */
export type RelativeRegion = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

type Region = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Averages over the cells of a region, row by row. */
type Grid = { readonly columns: number; readonly rows: number; readonly averages: Buffer }

const leastCellPx = 16
// How many cells the shorter side of a region has at most: from 4 down to 1. Letters that fill a
// region could still be read from five.
const cellsAcross = (strength: number) => Math.ceil((11 - strength) / 2.5)
// So many values are added up before others have their turn: a few milliseconds.
const valuesAtOnce = 4_000_000

/** One region after another; a later one also covers what an earlier one has left. */
export async function coverRegions(
  canvas: Canvas,
  regions: readonly RelativeRegion[],
  { mode, strength }: { readonly mode: CoverMode; readonly strength: number },
): Promise<void> {
  for (const relative of regions) {
    const region = regionIn(canvas, relative)
    if (mode === 'bar') drawBar(canvas, region)
    else {
      const cellPx = cellSize(region, strength)
      const grid = await averagesOf(canvas, region, cellPx)
      if (mode === 'pixelate') drawCells(canvas, region, grid, cellPx)
      else await drawBlur(canvas, region, grid)
    }
  }
}

/** Rounded outward and cut at the edge, and never empty. */
export function regionIn(
  { width, height }: Pick<Canvas, 'width' | 'height'>,
  relative: RelativeRegion,
): Region {
  const left = Math.min(Math.floor(relative.x * width), width - 1)
  const top = Math.min(Math.floor(relative.y * height), height - 1)
  const right = Math.min(Math.ceil((relative.x + relative.width) * width), width)
  const bottom = Math.min(Math.ceil((relative.y + relative.height) * height), height)
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}

function cellSize({ width, height }: Region, strength: number): number {
  return Math.max(leastCellPx, Math.ceil(Math.min(width, height) / cellsAcross(strength)))
}

function drawBar(canvas: Canvas, region: Region): void {
  const { channels } = canvas
  const row = Buffer.alloc(region.width * channels)
  if (channels === 4)
    for (let place = channels - 1; place < row.length; place += channels) row[place] = 255
  for (let y = 0; y < region.height; y += 1) writeRow(canvas, region, y, row)
}

async function averagesOf(canvas: Canvas, region: Region, cellPx: number): Promise<Grid> {
  const { data, width, channels } = canvas
  const columns = Math.ceil(region.width / cellPx)
  const rows = Math.ceil(region.height / cellPx)
  const averages = Buffer.alloc(columns * rows * channels)
  let added = 0
  for (let row = 0; row < rows; row += 1) {
    const sums = new Float64Array(columns * channels)
    const firstY = row * cellPx
    const endY = Math.min(firstY + cellPx, region.height)
    for (let y = firstY; y < endY; y += 1) {
      const start = ((region.top + y) * width + region.left) * channels
      addRow(data, start, region.width, cellPx, channels, sums)
      added += region.width * channels
      if (added >= valuesAtOnce) {
        added = 0
        await setImmediate()
      }
    }
    for (let place = 0; place < sums.length; place += 1) {
      const column = Math.floor(place / channels)
      const cellWidth = Math.min(cellPx, region.width - column * cellPx)
      const average = (sums[place] ?? 0) / (cellWidth * (endY - firstY))
      averages[row * columns * channels + place] = Math.round(average)
    }
  }
  return { columns, rows, averages }
}

/** The hot loop: every value of a row goes to the sum of its cell and channel. */
function addRow(
  data: Buffer,
  start: number,
  width: number,
  cellPx: number,
  channels: number,
  sums: Float64Array,
): void {
  for (let x = 0, place = start; x < width;) {
    const first = Math.floor(x / cellPx) * channels
    const end = Math.min(x + cellPx, width)
    for (; x < end; x += 1) {
      for (let channel = 0; channel < channels; channel += 1, place += 1) {
        sums[first + channel] = (sums[first + channel] ?? 0) + (data[place] ?? 0)
      }
    }
  }
}

function drawCells(canvas: Canvas, region: Region, grid: Grid, cellPx: number): void {
  const { channels } = canvas
  const row = Buffer.alloc(region.width * channels)
  for (let cellRow = 0; cellRow < grid.rows; cellRow += 1) {
    for (let x = 0; x < region.width; x += 1) {
      const cell = cellRow * grid.columns + Math.floor(x / cellPx)
      grid.averages.copy(row, x * channels, cell * channels, (cell + 1) * channels)
    }
    const endY = Math.min((cellRow + 1) * cellPx, region.height)
    for (let y = cellRow * cellPx; y < endY; y += 1) writeRow(canvas, region, y, row)
  }
}

/** The same averages, drawn softly: blurred among each other, then enlarged. */
async function drawBlur(canvas: Canvas, region: Region, grid: Grid): Promise<void> {
  const { channels } = canvas
  const { columns, rows, averages } = grid
  const soft = await sharp(averages, { raw: { width: columns, height: rows, channels } })
    .blur(0.8)
    .raw()
    .toBuffer()
  const enlarged = await sharp(soft, { raw: { width: columns, height: rows, channels } })
    .resize(region.width, region.height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (enlarged.info.channels !== channels) throw new Error('a blur changed the channels')
  const rowLength = region.width * channels
  for (let y = 0; y < region.height; y += 1)
    writeRow(canvas, region, y, enlarged.data.subarray(y * rowLength, (y + 1) * rowLength))
}

function writeRow({ data, width, channels }: Canvas, region: Region, y: number, row: Buffer) {
  row.copy(data, ((region.top + y) * width + region.left) * channels)
}
