/**
 * Filled outlines with soft edges. Each edge stores its signed area in the pixels that it crosses, and each
 * row sums these areas from left to right. The coverage is exact, and the cost depends only on the outline's
 * bounding box.
 */
import type { Canvas } from './canvas.ts'
import { cover } from './canvas.ts'
import type { Colour } from './colour.ts'

/** x, y, x, y …, in pixels. The last point is connected to the first. */
export type Outline = readonly number[] | Float64Array

type Brush = (pixel: number, coverage: number, x: number, y: number) => void
type Box = { left: number; top: number; width: number; height: number }

let areas = new Float32Array(0)

export function fillOutline(canvas: Canvas, outline: Outline, colour: Colour, opacity = 1): void {
  brushOutline(canvas, outline, (pixel, coverage) =>
    cover(canvas, pixel, colour, coverage * opacity),
  )
}

/** Calls the brush for every pixel that the outline touches, with the fraction of the pixel inside it. */
export function brushOutline(canvas: Canvas, outline: Outline, brush: Brush): void {
  const box = boxWithin(canvas, outline)
  if (box.width <= 0 || box.height <= 0) return
  const stride = box.width + 2
  if (areas.length < stride * box.height) areas = new Float32Array(stride * box.height)
  else areas.fill(0, 0, stride * box.height)
  const last = outline.length - 2
  let x0 = (outline[last] ?? 0) - box.left
  let y0 = (outline[last + 1] ?? 0) - box.top
  for (let i = 0; i <= last; i += 2) {
    const x1 = (outline[i] ?? 0) - box.left
    const y1 = (outline[i + 1] ?? 0) - box.top
    addEdge(box, x0, y0, x1, y1)
    x0 = x1
    y0 = y1
  }
  for (let row = 0; row < box.height; row += 1) {
    let sum = 0
    for (let column = 0; column < box.width; column += 1) {
      sum += areas[row * stride + column] ?? 0
      const coverage = Math.min(1, Math.abs(sum))
      if (coverage < 0.004) continue
      const x = box.left + column
      const y = box.top + row
      brush(y * canvas.width + x, coverage, x, y)
    }
  }
}

/** Returns the outline of a line. `widthAt` gets 0 at its start and 1 at its end. */
export function strokeOutline(
  points: readonly number[],
  widthAt: (along: number) => number,
): number[] {
  const count = points.length / 2
  const there: number[] = []
  const back: number[] = []
  for (let i = 0; i < count; i += 1) {
    const before = Math.max(0, i - 1) * 2
    const after = Math.min(count - 1, i + 1) * 2
    const dx = (points[after] ?? 0) - (points[before] ?? 0)
    const dy = (points[after + 1] ?? 0) - (points[before + 1] ?? 0)
    const half = widthAt(count > 1 ? i / (count - 1) : 0) / 2 / (Math.hypot(dx, dy) || 1)
    const x = points[i * 2] ?? 0
    const y = points[i * 2 + 1] ?? 0
    there.push(x - dy * half, y + dx * half)
    back.push(y - dx * half, x + dy * half)
  }
  return [...there, ...back.toReversed()]
}

function boxWithin(canvas: Canvas, outline: Outline): Box {
  let left = Infinity
  let right = -Infinity
  let top = Infinity
  let bottom = -Infinity
  for (let i = 0; i < outline.length; i += 2) {
    const x = outline[i] ?? 0
    const y = outline[i + 1] ?? 0
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  left = Math.max(0, Math.floor(left))
  top = Math.max(0, Math.floor(top))
  return {
    left,
    top,
    width: Math.min(canvas.width, Math.ceil(right) + 1) - left,
    height: Math.min(canvas.height, Math.ceil(bottom) + 1) - top,
  }
}

function addEdge(box: Box, x0: number, y0: number, x1: number, y1: number): void {
  if (y0 === y1) return
  const direction = y0 < y1 ? 1 : -1
  const [topX, topY, bottomX, bottomY] = y0 < y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0]
  const slope = (bottomX - topX) / (bottomY - topY)
  const firstRow = Math.max(0, Math.floor(topY))
  const endRow = Math.min(box.height, Math.ceil(bottomY))
  for (let row = firstRow; row < endRow; row += 1) {
    const from = Math.max(row, topY)
    const to = Math.min(row + 1, bottomY)
    if (to <= from) continue
    const xFrom = clampTo(topX + (from - topY) * slope, box.width)
    const xTo = clampTo(topX + (to - topY) * slope, box.width)
    addSpan(
      row * (box.width + 2),
      (to - from) * direction,
      Math.min(xFrom, xTo),
      Math.max(xFrom, xTo),
    )
  }
}

/** Distributes an edge's height over the pixels between its two ends in one row. */
function addSpan(rowStart: number, height: number, left: number, right: number): void {
  const first = Math.floor(left)
  const last = Math.floor(right)
  if (first === last) {
    const beyond = (left + right) / 2 - first
    put(rowStart + first, height * (1 - beyond))
    put(rowStart + first + 1, height * beyond)
    return
  }
  const perPixel = height / (right - left)
  let done = 0
  for (let column = first; column <= last; column += 1) {
    const a = Math.max(left, column)
    const b = Math.min(right, column + 1)
    const part = (b - a) * perPixel
    const covered = part * (column + 1 - (a + b) / 2)
    put(rowStart + column, covered + done)
    done = part - covered
  }
  put(rowStart + last + 1, done)
}

function put(at: number, area: number): void {
  areas[at] = (areas[at] ?? 0) + area
}

function clampTo(value: number, high: number): number {
  return value < 0 ? 0 : value > high ? high : value
}
