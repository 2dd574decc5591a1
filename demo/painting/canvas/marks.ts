/** Small marks: discs, glows, dots along a line. Positions and sizes are in pixels. */
import type { Canvas } from './canvas.ts'
import { cover, shine } from './canvas.ts'
import type { Colour } from './colour.ts'
import { clamp } from './colour.ts'

type Spot = { readonly x: number; readonly y: number; readonly radius: number }

/** Paints a filled disc. `softness` is the width of its edge in pixels. */
export function paintDisc(
  canvas: Canvas,
  spot: Spot,
  colour: Colour,
  { opacity = 1, softness = 1 }: { opacity?: number; softness?: number } = {},
): void {
  const reach = spot.radius + softness / 2
  eachAround(canvas, spot, reach, (pixel, distance) =>
    cover(canvas, pixel, colour, opacity * clamp((reach - distance) / softness)),
  )
}

/** Paints light that fades smoothly to nothing at the radius. */
export function paintGlow(canvas: Canvas, spot: Spot, colour: Colour, strength: number): void {
  const perPixel = 1 / spot.radius
  eachAround(canvas, spot, spot.radius, (pixel, distance) => {
    const near = 1 - distance * perPixel
    shine(canvas, pixel, colour, strength * near * near)
  })
}

/** Draws a line with a round brush. `radiusAt` may change the radius along the line. */
export function drawLine(
  canvas: Canvas,
  points: readonly number[],
  radiusAt: (along: number) => number,
  colour: Colour,
  opacity = 1,
): void {
  const last = points.length / 2 - 1
  for (let i = 0; i < last; i += 1) {
    const x0 = points[i * 2] ?? 0
    const y0 = points[i * 2 + 1] ?? 0
    const dx = (points[i * 2 + 2] ?? 0) - x0
    const dy = (points[i * 2 + 3] ?? 0) - y0
    const radius = radiusAt(i / last)
    const dots = Math.max(1, Math.ceil(Math.sqrt(dx * dx + dy * dy) / Math.max(0.6, radius * 0.7)))
    for (let dot = 0; dot < dots; dot += 1) {
      const t = dot / dots
      paintDisc(canvas, { x: x0 + dx * t, y: y0 + dy * t, radius }, colour, { opacity })
    }
  }
}

function eachAround(
  { width, height }: Canvas,
  { x, y }: Spot,
  reach: number,
  mark: (pixel: number, distance: number) => void,
): void {
  const top = Math.max(0, Math.ceil(y - reach))
  const bottom = Math.min(height - 1, Math.floor(y + reach))
  for (let row = top; row <= bottom; row += 1) {
    const dy = (row - y) ** 2
    const half = Math.sqrt(Math.max(0, reach * reach - dy))
    const left = Math.max(0, Math.ceil(x - half))
    const right = Math.min(width - 1, Math.floor(x + half))
    for (let column = left; column <= right; column += 1) {
      mark(row * width + column, Math.sqrt((column - x) ** 2 + dy))
    }
  }
}
