/**
 * Which cells a covered region is divided into. The server that covers it and the page that shows it
 * before it is paid for both ask here, so that they cannot differ.
 */
import type { PixelRegion, Size } from './composition-layout.ts'

export type CoverMode = 'blur' | 'pixelate' | 'bar'

/** In parts of the picture's width and height. */
export type RelativeRegion = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where the cells of an area begin, and where the last one ends, counted from the area's corner. */
export type CoverGrid = {
  readonly area: PixelRegion
  readonly columnEdges: readonly number[]
  readonly rowEdges: readonly number[]
}

export const mostRegions = 50

// No cell is smaller, whatever the region's size: of few pixels an average still tells each.
const leastCellPx = 16
// How many cells the shorter side of a region has at most: from 4 down to 1. Letters that fill a
// region could still be read from five.
const cellsAcross = (strength: number) => Math.ceil((11 - strength) / 2.5)

/** Rounded outward and cut at the edge, and never empty. */
export function regionIn({ width, height }: Size, relative: RelativeRegion): PixelRegion {
  const left = Math.min(Math.floor(relative.x * width), width - 1)
  const top = Math.min(Math.floor(relative.y * height), height - 1)
  const right = Math.min(Math.ceil((relative.x + relative.width) * width), width)
  const bottom = Math.min(Math.ceil((relative.y + relative.height) * height), height)
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
}

/** Null where the picture has no room for one cell: it has no average that hides anything. */
export function coverGrid(picture: Size, region: PixelRegion, strength: number): CoverGrid | null {
  if (Math.min(picture.width, picture.height) < leastCellPx) return null
  const area = areaAround(picture, region)
  const shorter = Math.min(area.width, area.height)
  const cellPx = Math.max(leastCellPx, Math.floor(shorter / cellsAcross(strength)))
  return {
    area,
    columnEdges: cellEdges(area.width, cellPx),
    rowEdges: cellEdges(area.height, cellPx),
  }
}

/** From each edge to the next. */
export function spansOf(edges: readonly number[]): [start: number, end: number][] {
  return edges.slice(1).map((end, place) => [edges[place] ?? 0, end])
}

/** The region, and of its surroundings what a cell needs. */
function areaAround({ width, height }: Size, region: PixelRegion): PixelRegion {
  const [left, across] = atLeastACell(region.left, region.width, width)
  const [top, down] = atLeastACell(region.top, region.height, height)
  return { left, top, width: across, height: down }
}

function atLeastACell(start: number, length: number, limit: number): [number, number] {
  if (length >= leastCellPx) return [start, length]
  const centred = start - Math.floor((leastCellPx - length) / 2)
  return [Math.min(Math.max(0, centred), limit - leastCellPx), leastCellPx]
}

/** What whole cells leave over is spread among them, so that none is smaller than the others. */
function cellEdges(length: number, cellPx: number): number[] {
  const cells = Math.max(1, Math.floor(length / cellPx))
  return Array.from({ length: cells + 1 }, (_, cell) => Math.floor((cell * length) / cells))
}
