/** Gradient noise, and the sums of noise from which clouds, ridges and bark are painted. */
import { createRandom } from './random.ts'

export type Noise = {
  /** Smooth noise, about -0.7 to 0.7, and zero at whole numbers. */
  at(x: number, y: number): number
  /** Sum of octaves of `at`. Each is twice as fine and `gain` times as strong; about -0.6 to 0.6. */
  fbm(x: number, y: number, octaves: number, gain?: number): number
  /** Like fbm but with creases, about 0 to 1: mountain crests, veins of marble. */
  ridged(x: number, y: number, octaves: number): number
  /** Writes `at` for a whole row: y is constant, x grows by `step`. Several times as fast as `at`. */
  row(into: Float32Array, y: number, x: number, step: number): void
}

// Each octave is rotated and moved, so that the grids of two octaves never align.
const turnCosine = 0.8
const turnSine = 0.6
const octaveScale = 2.03

// A lattice of slopes that is small enough for the fastest cache.
const latticeSize = 64
const latticeMask = latticeSize - 1
const rowStride = latticeSize * 2

export function createNoise(seed: number): Noise {
  const slopes = latticeOfSlopes(seed)

  const at = (x: number, y: number): number => {
    const left = Math.floor(x)
    const top = Math.floor(y)
    const dx = x - left
    const dy = y - top
    const column = (left & latticeMask) * 2
    const nextColumn = ((left + 1) & latticeMask) * 2
    const row = (top & latticeMask) * rowStride
    const nextRow = ((top + 1) & latticeMask) * rowStride
    const n00 = (slopes[row + column] ?? 0) * dx + (slopes[row + column + 1] ?? 0) * dy
    const n10 =
      (slopes[row + nextColumn] ?? 0) * (dx - 1) + (slopes[row + nextColumn + 1] ?? 0) * dy
    const n01 =
      (slopes[nextRow + column] ?? 0) * dx + (slopes[nextRow + column + 1] ?? 0) * (dy - 1)
    const n11 =
      (slopes[nextRow + nextColumn] ?? 0) * (dx - 1) +
      (slopes[nextRow + nextColumn + 1] ?? 0) * (dy - 1)
    const u = dx * dx * dx * (dx * (dx * 6 - 15) + 10)
    const v = dy * dy * dy * (dy * (dy * 6 - 15) + 10)
    const upper = n00 + u * (n10 - n00)
    return upper + v * (n01 + u * (n11 - n01) - upper)
  }

  const fbm = (x: number, y: number, octaves: number, gain = 0.5): number => {
    let sum = 0
    let strength = 0.62
    let px = x
    let py = y
    for (let i = 0; i < octaves; i += 1) {
      sum += strength * at(px, py)
      const turned = px * turnCosine + py * turnSine
      py = (py * turnCosine - px * turnSine) * octaveScale + 5.3
      px = turned * octaveScale + 17.7
      strength *= gain
    }
    return sum
  }

  const ridged = (x: number, y: number, octaves: number): number => {
    let sum = 0
    let strength = 0.5
    let px = x
    let py = y
    for (let i = 0; i < octaves; i += 1) {
      const crest = 1 - Math.abs(at(px, py)) * 1.9
      sum += strength * crest * crest
      const turned = px * turnCosine + py * turnSine
      py = (py * turnCosine - px * turnSine) * octaveScale + 9.1
      px = turned * octaveScale + 3.7
      strength *= 0.5
    }
    return sum
  }

  const row = (into: Float32Array, y: number, x: number, step: number): void => {
    const top = Math.floor(y)
    const dy = y - top
    const v = dy * dy * dy * (dy * (dy * 6 - 15) + 10)
    const upper = (top & latticeMask) * rowStride
    const lower = ((top + 1) & latticeMask) * rowStride
    let cell = NaN
    // Within one cell, the noise from each side is a straight line, stored as its slope and start.
    let leftSlope = 0
    let leftStart = 0
    let rightSlope = 0
    let rightStart = 0
    for (let i = 0; i < into.length; i += 1) {
      const here = x + i * step
      const left = Math.floor(here)
      if (left !== cell) {
        cell = left
        const near = (left & latticeMask) * 2
        const far = ((left + 1) & latticeMask) * 2
        leftSlope = between(slopes, upper + near, lower + near, v)
        leftStart = between(slopes, upper + near + 1, lower + near + 1, v, dy)
        rightSlope = between(slopes, upper + far, lower + far, v)
        rightStart = between(slopes, upper + far + 1, lower + far + 1, v, dy)
      }
      const dx = here - left
      const u = dx * dx * dx * (dx * (dx * 6 - 15) + 10)
      const onLeft = leftStart + leftSlope * dx
      into[i] = onLeft + u * (rightStart + rightSlope * (dx - 1) - onLeft)
    }
  }

  return { at, fbm, ridged, row }
}

/** Blends two slopes of one column. With `dy`, blends the noise that they cause at that height. */
function between(
  slopes: Float64Array,
  above: number,
  below: number,
  v: number,
  dy?: number,
): number {
  const one = slopes[above] ?? 0
  const other = slopes[below] ?? 0
  if (dy === undefined) return one + v * (other - one)
  return one * dy + v * (other * (dy - 1) - one * dy)
}

function latticeOfSlopes(seed: number): Float64Array {
  const random = createRandom(seed)
  const slopes = new Float64Array(latticeSize * rowStride)
  for (let i = 0; i < slopes.length; i += 2) {
    const angle = random.next() * Math.PI * 2
    slopes[i] = Math.cos(angle)
    slopes[i + 1] = Math.sin(angle)
  }
  return slopes
}
