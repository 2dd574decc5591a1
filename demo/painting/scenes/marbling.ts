/** Marbled paper: ink on water, combed and swirled. */
import { coverMixed, createCanvas, develop, dim } from '../canvas/canvas.ts'
import { clamp, evenRamp, hex, relight, smoothstep } from '../canvas/colour.ts'
import type { Colour } from '../canvas/colour.ts'
import { createField } from '../canvas/field.ts'
import { createNoise } from '../canvas/noise.ts'
import { createRandom } from '../canvas/random.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

const inks: Record<MoodOf<'marbling'>, readonly (readonly string[])[]> = {
  indigo: [
    ['#f2ede0', '#c9d6dc', '#5f8aa8', '#20406c', '#0f1f40', '#e8e2d0', '#8ab0bc'],
    ['#eef0ec', '#a9c4c0', '#2f6a78', '#123a50', '#f4ead2', '#c9a25a', '#1a2a3c'],
  ],
  rose: [
    ['#f8ece0', '#f0bfae', '#c85a5e', '#7a2440', '#f6dcc4', '#e8a06a', '#3c1830'],
    ['#fbf0ea', '#e8b0c0', '#a84a7a', '#5a2a5e', '#f4d0b0', '#d97a5a', '#2c1838'],
  ],
  moss: [
    ['#f2eed8', '#c4cc94', '#6f8a4a', '#2f4f34', '#e6d6a0', '#b07a3a', '#1a2c24'],
    ['#eef0e0', '#a0c0a8', '#3f7a6a', '#1f4a48', '#f0e0b0', '#d0a04a', '#4a2a1c'],
  ],
  ink: [['#f4f1ea', '#d4d0c8', '#8a8880', '#2a2a2c', '#0e0e12', '#efe8d8', '#b8a888']],
}

export function paintMarbling({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'marbling'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const light = relight(random, 12)
  const tones = evenRamp(random.shuffle(random.pick(inks[mood])).map((text) => light(hex(text))))
  const gold: Colour = light(hex('#d8b060'))
  const canvas = createCanvas(width, height)
  const size = random.between(0.65, 1.05)
  const swirl = random.between(1.1, 2.2)
  const bands = random.between(1.9, 3.6)
  const comb = random.chance(0.4) ? random.between(3, 7) : 0
  const offset = random.between(0, 60)
  const sway = { x: Math.cos(phase * Math.PI * 2) * 0.12, y: Math.sin(phase * Math.PI * 2) * 0.12 }
  const warpX = createField(canvas, 4, (x, y) =>
    noise.fbm((x / height) * size + offset + sway.x, (y / height) * size + sway.y, 4),
  )
  const warpY = createField(canvas, 4, (x, y) =>
    noise.fbm((x / height) * size + 40, (y / height) * size + offset + sway.x, 4),
  )
  const value = createField(canvas, 2, (x, y) => {
    const teeth = comb ? Math.sin((x / height) * comb * Math.PI * 2) * 0.05 : 0
    const u = (x / height) * size + warpX.at(x, y) * swirl
    const v = (y / height) * size + teeth + warpY.at(x, y) * swirl
    return noise.fbm(u + offset, v + 11, 3, 0.42) * bands + v * 0.9
  })
  const above = new Float32Array(width)
  const below = new Float32Array(width)
  const values = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    value.row(above, y - 2)
    value.row(values, y)
    value.row(below, y + 2)
    for (let x = 0; x < width; x += 1) {
      const here = values[x] ?? 0
      const at = here - Math.floor(here)
      // Inks do not mix, so there are wide flat bands with a narrow border between them.
      const step = Math.floor(at * 7)
      const within = at * 7 - step
      const flat = (step + smoothstep(0.86, 1, within)) / 7
      const steepX = Math.abs(
        (values[Math.min(width - 1, x + 2)] ?? 0) - (values[Math.max(0, x - 2)] ?? 0),
      )
      const steep = steepX + Math.abs((below[x] ?? 0) - (above[x] ?? 0))
      const edge = smoothstep(0.06, 0.01, Math.min(within, 1 - within)) * clamp(1.3 - steep * 6)
      coverMixed(canvas, y * width + x, tones.at(flat), gold, edge * 0.34, 1)
      dim(canvas, y * width + x, 1 + 0.05 * (within - 0.5))
    }
  }
  return develop(canvas, { vignette: 0.12 })
}
