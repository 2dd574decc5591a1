/**
 * Covers regions of a picture irreversibly. Only averages over coarse cells remain, or nothing. They
 * are computed from the pixels before the picture is encoded, so no byte of the result contains details
 * smaller than a cell.
 */
import { setImmediate } from 'node:timers/promises'
import type { PixelRegion } from '../../../contract/composition-layout.ts'
import type { CoverGrid, CoverMode, RelativeRegion } from '../../../contract/cover-grid.ts'
import { coverGrid, regionIn, spansOf } from '../../../contract/cover-grid.ts'
import { sharp } from '../../media/libvips.ts'

/** Uncompressed pixels, row by row. They are changed in place. */
export type Canvas = {
  readonly data: Buffer
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
}

/** Averages over the cells of an area, row by row. */
type Grid = CoverGrid & { readonly averages: Buffer }

// The number of values to add up before other work gets a turn: a few milliseconds.
const valuesAtOnce = 4_000_000

/** Covers one region after another. Overlapping regions also cover the results of earlier ones. */
export async function coverRegions(
  canvas: Canvas,
  regions: readonly RelativeRegion[],
  { mode, strength }: { readonly mode: CoverMode; readonly strength: number },
): Promise<void> {
  for (const relative of regions) {
    const region = regionIn(canvas, relative)
    const cells = mode === 'bar' ? null : coverGrid(canvas, region, strength)
    if (cells === null) drawBar(canvas, region)
    else {
      const grid = await averagesOf(canvas, cells)
      if (mode === 'pixelate') drawCells(canvas, region, grid)
      else await drawBlur(canvas, region, grid)
    }
  }
}

function drawBar(canvas: Canvas, region: PixelRegion): void {
  const { channels } = canvas
  const row = Buffer.alloc(region.width * channels)
  if (channels === 4)
    for (let offset = channels - 1; offset < row.length; offset += channels) row[offset] = 255
  for (let y = 0; y < region.height; y += 1) writeRow(canvas, region, y, row)
}

async function averagesOf(canvas: Canvas, cells: CoverGrid): Promise<Grid> {
  const { data, width, channels } = canvas
  const { area, columnEdges, rowEdges } = cells
  const averages: number[] = []
  let added = 0
  for (const [firstY, endY] of spansOf(rowEdges)) {
    const sums = new Float64Array((columnEdges.length - 1) * channels)
    for (let y = firstY; y < endY; y += 1) {
      const start = ((area.top + y) * width + area.left) * channels
      addRow(data, start, columnEdges, channels, sums)
      added += area.width * channels
      if (added >= valuesAtOnce) {
        added = 0
        await setImmediate()
      }
    }
    for (const [column, [firstX, endX]] of spansOf(columnEdges).entries()) {
      const pixels = (endX - firstX) * (endY - firstY)
      for (const sum of sums.subarray(column * channels, (column + 1) * channels))
        averages.push(Math.round(sum / pixels))
    }
  }
  return { ...cells, averages: Buffer.from(averages) }
}

/** Adds every value of a row to the sum of its cell and channel. This is the hot loop. */
function addRow(
  data: Buffer,
  start: number,
  columnEdges: readonly number[],
  channels: number,
  sums: Float64Array,
): void {
  for (let column = 1, x = 0, offset = start; column < columnEdges.length; column += 1) {
    const first = (column - 1) * channels
    for (const end = columnEdges[column] ?? 0; x < end; x += 1) {
      for (let channel = 0; channel < channels; channel += 1, offset += 1) {
        sums[first + channel] = (sums[first + channel] ?? 0) + (data[offset] ?? 0)
      }
    }
  }
}

function drawCells(canvas: Canvas, region: PixelRegion, grid: Grid): void {
  const { area, columnEdges, rowEdges, averages } = grid
  const { channels } = canvas
  const columns = columnEdges.length - 1
  const row = Buffer.alloc(area.width * channels)
  for (const [cellRow, [firstY, endY]] of spansOf(rowEdges).entries()) {
    for (const [column, [firstX, endX]] of spansOf(columnEdges).entries()) {
      const offset = (cellRow * columns + column) * channels
      row.fill(averages.subarray(offset, offset + channels), firstX * channels, endX * channels)
    }
    for (let y = firstY; y < endY; y += 1) writeAreaRow(canvas, region, area, y, row)
  }
}

/** Draws the averages softly: blurs them, then enlarges them. */
async function drawBlur(canvas: Canvas, region: PixelRegion, grid: Grid): Promise<void> {
  const { channels } = canvas
  const { area, columnEdges, rowEdges, averages } = grid
  const [columns, rows] = [columnEdges.length - 1, rowEdges.length - 1]
  const soft = await sharp(averages, { raw: { width: columns, height: rows, channels } })
    .blur(0.8)
    .raw()
    .toBuffer()
  const enlarged = await sharp(soft, { raw: { width: columns, height: rows, channels } })
    .resize(area.width, area.height, { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (enlarged.info.channels !== channels) throw new Error('a blur changed the channels')
  const rowLength = area.width * channels
  for (let y = 0; y < area.height; y += 1) {
    const row = enlarged.data.subarray(y * rowLength, (y + 1) * rowLength)
    writeAreaRow(canvas, region, area, y, row)
  }
}

/** Writes the part of an area's row that is in the region. */
function writeAreaRow(
  canvas: Canvas,
  region: PixelRegion,
  area: PixelRegion,
  y: number,
  row: Buffer,
): void {
  const { channels } = canvas
  const inRegion = area.top + y - region.top
  if (inRegion < 0 || inRegion >= region.height) return
  const start = (region.left - area.left) * channels
  writeRow(canvas, region, inRegion, row.subarray(start, start + region.width * channels))
}

function writeRow({ data, width, channels }: Canvas, region: PixelRegion, y: number, row: Buffer) {
  row.copy(data, ((region.top + y) * width + region.left) * channels)
}
