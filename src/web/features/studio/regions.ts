/** Regions of a picture, as fractions of its sides: create, move and resize them within its edges. */
import type { RelativeRegion } from '../../../contract/cover-grid.ts'

export type Region = RelativeRegion & { readonly id: number }

type Point = { readonly x: number; readonly y: number }

/** A smaller region would be too small to drag. */
export const minSide = 0.02

let lastId = 0

export function newRegion(relative: RelativeRegion): Region {
  lastId += 1
  return { ...within(relative), id: lastId }
}

/** Returns the region between two corners, in any direction. */
export function between(start: Point, end: Point): RelativeRegion {
  return {
    x: Math.min(start.x, end.x),
    y: Math.min(start.y, end.y),
    width: Math.abs(end.x - start.x),
    height: Math.abs(end.y - start.y),
  }
}

export function within<R extends RelativeRegion>(region: R): R {
  const width = clamp(region.width, minSide, 1)
  const height = clamp(region.height, minSide, 1)
  const x = clamp(region.x, 0, 1 - width)
  const y = clamp(region.y, 0, 1 - height)
  return { ...region, x, y, width, height }
}

/** Moves the region with an arrow key, or resizes it with Shift. Returns null for other keys. */
export function nudged(region: Region, key: string, isSizing: boolean): Region | null {
  const step = 0.01
  const across = key === 'ArrowLeft' ? -step : key === 'ArrowRight' ? step : 0
  const down = key === 'ArrowUp' ? -step : key === 'ArrowDown' ? step : 0
  if (across === 0 && down === 0) return null
  return within(
    isSizing
      ? { ...region, width: region.width + across, height: region.height + down }
      : { ...region, x: region.x + across, y: region.y + down },
  )
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
