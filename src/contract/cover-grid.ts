/**
 * The cells of a covered region. The server and the preview page both use this code, so they cannot differ.
 */
import type { PixelRegion, Size } from './composition-layout.ts'

export type CoverMode = 'blur' | 'pixelate' | 'bar'

/** A region in fractions of the picture's width and height. */
export type RelativeRegion = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The edges of the cells: the start of each and the end of the last one, relative to the area's corner. */
export type CoverGrid = {
  readonly area: PixelRegion
  readonly columnEdges: readonly number[]
  readonly rowEdges: readonly number[]
}

export const maxRegions = 50

// The minimum size of a cell, whatever the region's size: an average of few pixels would still reveal them.
const minCellPx = 16
// The maximum number of cells across the shorter side of a region: from 4 down to 1. With five, letters
// that fill a region could still be read.
const cellsAcross = (strength: number) => Math.ceil((11 - strength) / 2.5)

/** Returns the region in pixels: rounded outward, cut at the edge, never empty. */
export function regionIn({ width, height }: Size, relative: RelativeRegion): PixelRegion {
  const left = Math.min(Math.floor(relative.x * width), width - 1)
  const top = Math.min(Math.floor(relative.y * height), height - 1)
  const right = Math.min(Math.ceil((relative.x + relative.width) * width), width)
  const bottom = Math.min(Math.ceil((relative.y + relative.height) * height), height)
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}

/** Returns null if the picture is smaller than one cell: no average would hide anything. */
export function coverGrid(picture: Size, region: PixelRegion, strength: number): CoverGrid | null {
  if (Math.min(picture.width, picture.height) < minCellPx) return null
  const area = areaAround(picture, region)
  const shorter = Math.min(area.width, area.height)
  const cellPx = Math.max(minCellPx, Math.floor(shorter / cellsAcross(strength)))
  return {
    area,
    columnEdges: cellEdges(area.width, cellPx),
    rowEdges: cellEdges(area.height, cellPx),
  }
}

/** Returns pairs of adjacent edges. */
export function spansOf(edges: readonly number[]): [start: number, end: number][] {
  return edges.slice(1).map((end, index) => [edges[index] ?? 0, end])
}

/** Returns the region, enlarged to at least one cell. */
function areaAround({ width, height }: Size, region: PixelRegion): PixelRegion {
  const [left, across] = atLeastACell(region.left, region.width, width)
  const [top, down] = atLeastACell(region.top, region.height, height)
  return { left, top, width: across, height: down }
}

function atLeastACell(start: number, length: number, limit: number): [number, number] {
  if (length >= minCellPx) return [start, length]
  const centred = start - Math.floor((minCellPx - length) / 2)
  return [Math.min(Math.max(0, centred), limit - minCellPx), minCellPx]
}

/** Spreads the remainder over the cells, so that none is much smaller than the others. */
function cellEdges(length: number, cellPx: number): number[] {
  const cells = Math.max(1, Math.floor(length / cellPx))
  return Array.from({ length: cells + 1 }, (_, cell) => Math.floor((cell * length) / cells))
}
