/**
 * Covers regions of a picture on a canvas with the cells that the server will use. The canvas may be smaller
 * than the picture: cells are in the picture's pixels.
 */
import type { PixelRegion, Size } from '../../../contract/composition-layout.ts'
import {
  type CoverGrid,
  coverGrid,
  type CoverMode,
  regionIn,
  type RelativeRegion,
  spansOf,
} from '../../../contract/cover-grid.ts'
import { sizeOf } from './studio-picture.ts'

export type Cover = { readonly mode: CoverMode; readonly strength: number }

const maxPreviewPx = 1400

/** Returns false when the canvas cannot be read: then every region is a bar. */
export function drawCovered(
  canvas: HTMLCanvasElement,
  image: HTMLImageElement,
  regions: readonly RelativeRegion[],
  { mode, strength }: Cover,
): boolean {
  const picture = sizeOf(image)
  const scale = Math.min(1, maxPreviewPx / Math.max(picture.width, picture.height))
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return false
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const isReadable = mayRead(context)
  for (const relative of regions) {
    const region = regionIn(picture, relative)
    const grid = mode === 'bar' || !isReadable ? null : coverGrid(picture, region, strength)
    const target = scaled(region, scale)
    if (grid === null) {
      context.fillStyle = 'black'
      context.fillRect(target.left, target.top, target.width, target.height)
    } else drawCells(context, { grid, target, scale, isSoft: mode === 'blur' })
  }
  return isReadable
}

/** Returns false for a picture of another site, which makes the canvas unreadable. */
function mayRead(context: CanvasRenderingContext2D): boolean {
  try {
    context.getImageData(0, 0, 1, 1)
    return true
  } catch {
    return false
  }
}

function drawCells(
  context: CanvasRenderingContext2D,
  how: { grid: CoverGrid; target: PixelRegion; scale: number; isSoft: boolean },
) {
  const { grid, target, scale, isSoft } = how
  const { area, columnEdges, rowEdges } = grid
  const cells = averagesOf(context, grid, scale)
  const small = new OffscreenCanvas(cells.width, cells.height)
  small.getContext('2d')?.putImageData(isSoft ? softened(cells) : cells, 0, 0)
  context.save()
  context.beginPath()
  context.rect(target.left, target.top, target.width, target.height)
  context.clip()
  if (isSoft) {
    const { left, top, width, height } = scaled(area, scale)
    context.drawImage(small, left, top, width, height)
  } else {
    context.imageSmoothingEnabled = false
    for (const [row, [top, bottom]] of spansOf(rowEdges).entries())
      for (const [column, [left, right]] of spansOf(columnEdges).entries()) {
        const cell = scaled(cellRegion(area, { left, top, right, bottom }), scale)
        context.drawImage(small, column, row, 1, 1, cell.left, cell.top, cell.width, cell.height)
      }
    context.imageSmoothingEnabled = true
  }
  context.restore()
}

function averagesOf(context: CanvasRenderingContext2D, grid: CoverGrid, scale: number): ImageData {
  const { area, columnEdges, rowEdges } = grid
  const cells = new ImageData(columnEdges.length - 1, rowEdges.length - 1)
  for (const [row, [top, bottom]] of spansOf(rowEdges).entries())
    for (const [column, [left, right]] of spansOf(columnEdges).entries()) {
      const cell = scaled(cellRegion(area, { left, top, right, bottom }), scale)
      const { data } = context.getImageData(cell.left, cell.top, cell.width, cell.height)
      for (let channel = 0; channel < 4; channel += 1) {
        let sum = 0
        for (let offset = channel; offset < data.length; offset += 4) sum += data[offset] ?? 0
        cells.data[(row * cells.width + column) * 4 + channel] = Math.round(sum / (data.length / 4))
      }
    }
  return cells
}

/** Blurs the cell averages with a Gaussian of 0.8 cells. */
function softened(cells: ImageData): ImageData {
  const kernel = [-2, -1, 0, 1, 2].map((step) => Math.exp(-(step * step) / (2 * 0.8 * 0.8)))
  const weight = kernel.reduce((sum, part) => sum + part, 0)
  const pass = (from: ImageData, isAcross: boolean) => {
    const to = new ImageData(from.width, from.height)
    for (let y = 0; y < from.height; y += 1)
      for (let x = 0; x < from.width; x += 1)
        for (let channel = 0; channel < 4; channel += 1) {
          const sum = kernel.reduce((sum, part, index) => {
            const nearX = clamp(x + (isAcross ? index - 2 : 0), from.width)
            const nearY = clamp(y + (isAcross ? 0 : index - 2), from.height)
            return sum + part * (from.data[(nearY * from.width + nearX) * 4 + channel] ?? 0)
          }, 0)
          to.data[(y * to.width + x) * 4 + channel] = Math.round(sum / weight)
        }
    return to
  }
  return pass(pass(cells, true), false)
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(offset, 0), length - 1)
}

function cellRegion(
  area: PixelRegion,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
): PixelRegion {
  return { left: area.left + left, top: area.top + top, width: right - left, height: bottom - top }
}

/** Converts to the pixels of a smaller canvas, at least one pixel wide and high. */
function scaled({ left, top, width, height }: PixelRegion, scale: number): PixelRegion {
  const [x, y] = [Math.round(left * scale), Math.round(top * scale)]
  const size: Size = {
    width: Math.max(1, Math.round((left + width) * scale) - x),
    height: Math.max(1, Math.round((top + height) * scale) - y),
  }
  return { left: x, top: y, ...size }
}
