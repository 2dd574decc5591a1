/**
 * Ground seen in perspective. Every column of the picture looks along one line over the land; the
 * land is measured along it, ever more sparsely with distance, and painted from far to near.
 */
import type { Canvas } from './canvas.ts'
import { clamp } from './colour.ts'
import { createField } from './field.ts'
import type { Field } from './field.ts'

/** Lengths are in the land's own unit; z runs away from the viewer, x to the right. */
export type View = {
  readonly eyeHeight: number
  /** Where the horizon is, a share of the picture's height. */
  readonly horizon: number
  /** Larger looks narrower, like a longer lens. */
  readonly zoom: number
  readonly near: number
  readonly far: number
}

/** One visible place, reused from call to call. */
export type Place = {
  x: number
  z: number
  height: number
  /** The way the ground faces, of length 1. */
  normalX: number
  normalY: number
  normalZ: number
  /** From 0 in shadow to 1 in full light. */
  sunlit: number
}

export type Sunlight = { readonly x: number; readonly y: number; readonly z: number }

export type Land = {
  heightAt(x: number, z: number): number
  readonly sun: Sunlight
  /** Writes the light that comes from the place. */
  paint(place: Place, into: Float64Array): void
}

const depthSteps = 520
// Measured columns; between two of them the land is taken as straight.
const columnStep = 3

export function paintTerrain(canvas: Canvas, view: View, land: Land): void {
  const { width, height } = canvas
  const focal = view.zoom * height
  const growth = (view.far / view.near) ** (1 / (depthSteps - 1))
  const depths = Float64Array.from({ length: depthSteps }, (_, k) => view.near * growth ** k)
  const heights = surveyHeights(land, { depths, focal, width })
  const shade = createShader(view, land, { depths, heights, focal, width })
  const visible = new Int32Array(depthSteps)
  const tops = new Float32Array(depthSteps)
  for (let x = 0; x < width; x += 1) {
    const row = (x + 1) * depthSteps
    let highest = height + 1
    let count = 0
    for (let k = 0; k < depthSteps; k += 1) {
      const top =
        view.horizon * height +
        ((view.eyeHeight - (heights[row + k] ?? 0)) * focal) / (depths[k] ?? 1)
      tops[k] = top
      if (top >= highest) continue
      highest = top
      visible[count] = k
      count += 1
    }
    for (let i = count - 1; i >= 0; i -= 1) {
      const k = visible[i] ?? 0
      const bottom = k === 0 ? height : (tops[k - 1] ?? height)
      paintSpan(canvas, x, tops[k] ?? 0, bottom, shade(x, Math.max(0, k - 1)), shade(x, k))
    }
  }
}

/** The height at each depth of each column, and of one more on either side for its slopes. */
function surveyHeights(land: Land, survey: Omit<Survey, 'heights'>): Float32Array {
  const { depths, focal, width } = survey
  const columns = width + 2 + columnStep
  const heights = new Float32Array(columns * depthSteps)
  for (let column = 0; column < columns; column += columnStep) {
    const slope = (column - 1 - width / 2) / focal
    const row = column * depthSteps
    for (let k = 0; k < depthSteps; k += 1) {
      const z = depths[k] ?? 0
      const here = land.heightAt(slope * z, z)
      heights[row + k] = here
      if (column === 0) continue
      const before = heights[row - columnStep * depthSteps + k] ?? 0
      for (let i = 1; i < columnStep; i += 1)
        heights[row - i * depthSteps + k] = here + ((before - here) * i) / columnStep
    }
  }
  return heights
}

/** Where a place of the land is on the canvas, and how many pixels one unit is there. */
export function project(
  { width, height }: Pick<Canvas, 'width' | 'height'>,
  view: View,
  place: { x: number; height: number; z: number },
): { x: number; y: number; scale: number } {
  const scale = (view.zoom * height) / place.z
  return {
    x: width / 2 + place.x * scale,
    y: view.horizon * height + (view.eyeHeight - place.height) * scale,
    scale,
  }
}

type Survey = { depths: Float64Array; heights: Float32Array; focal: number; width: number }

/** Answers with the light of a column's k-th place; the last two answers are kept. */
function createShader(view: View, land: Land, survey: Survey) {
  const { depths, heights, focal, width } = survey
  const shadows = shadowField(view, land, width / focal)
  const place: Place = { x: 0, z: 0, height: 0, normalX: 0, normalY: 1, normalZ: 0, sunlit: 1 }
  let latest = { key: -1, light: new Float64Array(3) }
  let earlier = { key: -1, light: new Float64Array(3) }
  return (column: number, k: number): Float64Array => {
    const key = column * depthSteps + k
    if (key === latest.key) return latest.light
    if (key === earlier.key) return earlier.light
    const at = (column + 1) * depthSteps + k
    const z = depths[k] ?? 1
    const nearer = Math.max(0, k - 1)
    const farther = Math.min(depthSteps - 1, k + 1)
    const acrossX =
      (((heights[at + depthSteps] ?? 0) - (heights[at - depthSteps] ?? 0)) * focal) / (2 * z)
    const alongZ =
      ((heights[at - k + farther] ?? 0) - (heights[at - k + nearer] ?? 0)) /
      ((depths[farther] ?? 1) - (depths[nearer] ?? 0))
    // Along the line of sight x changes with z, so its share of the rise is taken out again.
    const slope = (column - width / 2) / focal
    const riseZ = alongZ - acrossX * slope
    const length = Math.sqrt(acrossX * acrossX + riseZ * riseZ + 1)
    place.x = slope * z
    place.z = z
    place.height = heights[at] ?? 0
    place.normalX = -acrossX / length
    place.normalY = 1 / length
    place.normalZ = -riseZ / length
    place.sunlit = shadows.at(place.x, z)
    const entry = earlier
    earlier = latest
    latest = entry
    entry.key = key
    land.paint(place, entry.light)
    return entry.light
  }
}

/** How much of the sun reaches each place, on a coarse map of the land in sight. */
function shadowField(view: View, land: Land, aspect: number): Pick<Field, 'at'> {
  const size = 220
  const side = view.far * aspect * 0.55
  const toX = (2 * side) / size
  // Closer together near the viewer, where a shadow's edge can be seen.
  const toZ = (row: number) => view.far * (row / size) ** 2
  const ground = createField({ width: size, height: size }, 1, (column, row) =>
    land.heightAt(column * toX - side, toZ(row)),
  )
  const groundAt = (x: number, z: number) =>
    ground.at((x + side) / toX, size * Math.sqrt(Math.max(0, z) / view.far))
  const field = createField({ width: size, height: size }, 1, (column, row) => {
    const x = column * toX - side
    const z = toZ(row)
    const y = ground.at(column, row)
    let light = 1
    let step = 0.12 + z * 0.012
    for (let way = step; way < 9 && light > 0; way += step) {
      const clear = y + land.sun.y * way - groundAt(x + land.sun.x * way, z + land.sun.z * way)
      light = Math.min(light, 0.5 + (clear * 7) / way)
      step *= 1.12
    }
    return clamp(light)
  })
  return {
    at: (x, z) => field.at((x + side) / toX, size * Math.sqrt(Math.max(0, z) / view.far)),
  }
}

function paintSpan(
  canvas: Canvas,
  x: number,
  top: number,
  bottom: number,
  lower: Float64Array,
  upper: Float64Array,
): void {
  const { width, height, light } = canvas
  const first = Math.max(0, Math.floor(top))
  const last = Math.min(height - 1, Math.floor(Math.max(bottom, top)) + 1)
  const span = Math.max(1, bottom - top)
  for (let y = first; y <= last; y += 1) {
    const t = clamp((y + 0.5 - top) / span)
    const opacity = clamp(y + 1 - top)
    const i = (y * width + x) * 3
    for (let channel = 0; channel < 3; channel += 1) {
      const colour = (upper[channel] ?? 0) * (1 - t) + (lower[channel] ?? 0) * t
      light[i + channel] = (light[i + channel] ?? 0) * (1 - opacity) + colour * opacity
    }
  }
}
