/** Shafts of light that fall through leaves. */
import type { Canvas } from './canvas.ts'
import { shine } from './canvas.ts'
import type { Colour } from './colour.ts'
import { smoothstep } from './colour.ts'
import { createField } from './field.ts'
import type { Noise } from './noise.ts'

/** Spread from the light, and broken by what hangs under it. */
export function paintShafts(
  canvas: Canvas,
  noise: Noise,
  shafts: { x: number; y: number; colour: Colour; strength: number },
): void {
  const { width, height } = canvas
  const source = { x: shafts.x * width, y: (shafts.y - 0.5) * height }
  const field = createField(canvas, 4, (x, y) => {
    const angle = Math.atan2(x - source.x, y - source.y + height * 0.2)
    const away = Math.hypot(x - source.x, y - source.y) / height
    const broken = smoothstep(0.02, 0.34, noise.fbm(angle * 9, 3.3, 3) + 0.06)
    return broken * Math.exp(-away * 1.15) * smoothstep(0.1, 0.5, away)
  })
  const row = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    field.row(row, y)
    for (let x = 0; x < width; x += 1)
      shine(canvas, y * width + x, shafts.colour, (row[x] ?? 0) * shafts.strength)
  }
}
