/** Sheets of coloured paper, each with a hole cut in it, stacked and lit from the side. */
import { cover, coverMixed, createCanvas, develop, dim } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenRamp, hex, relight, scale, smoothstep, white } from '../canvas/colour.ts'
import { createField } from '../canvas/field.ts'
import { createNoise } from '../canvas/noise.ts'
import { createRandom } from '../canvas/random.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

/** Colours from the sheet at the back to the sheet in front. */
const papers: Record<MoodOf<'papercut'>, readonly (readonly string[])[]> = {
  ocean: [
    ['#f6efd8', '#cfe6dc', '#8fc9c8', '#4a9fb0', '#25718f', '#164a6c', '#0d2c4a'],
    ['#fff3d6', '#f7cfa6', '#8fc0b8', '#3f8f9c', '#1f5f78', '#123a54', '#0a2338'],
  ],
  canyon: [
    ['#fff2d2', '#fbd493', '#f2a65a', '#dd7440', '#b54a34', '#7f2c2e', '#4c1a26'],
    ['#fbe6d8', '#f3b8a0', '#e0806c', '#bd5058', '#8a3050', '#581f44', '#321234'],
  ],
  forest: [
    ['#f8f3d0', '#dbe3a0', '#a9c470', '#6c9c50', '#3f7444', '#235038', '#12302a'],
    ['#fdf0d8', '#e2d9a6', '#a9b884', '#6f9078', '#436b68', '#274a54', '#152e3e'],
  ],
  night: [
    ['#fff0c0', '#f0b890', '#c47c94', '#84528e', '#4e3a7c', '#2c285c', '#161a3c'],
    ['#f4f6e8', '#a9d2d4', '#6c9cc0', '#4a6aa4', '#3a4484', '#282a5e', '#15163a'],
  ],
}

export function paintPapercut({ seed, mood, width, height }: Commission<'papercut'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const light = relight(random, 14)
  const ramp = evenRamp(random.pick(papers[mood]).map((text) => light(hex(text))))
  const sheets = random.whole(7, 11)
  const tones = Array.from({ length: sheets + 1 }, (_, i) => ramp.at(i / sheets))
  const canvas = createCanvas(width, height)
  const depths = cutDepths(random.pick(['hole', 'waves', 'islands'] as const), {
    width,
    height,
    fbm: (x, y) => noise.fbm(x, y, 3, 0.42),
    centre: { x: random.between(0.35, 0.65), y: random.between(0.35, 0.65) },
    size: random.between(1.1, 1.7),
    offset: random.between(0, 60),
  })
  const field = createField(canvas, 3, depths)
  const lampX = random.chance(0.5) ? 1 : -1
  const throwX = lampX * height * 0.012
  const throwY = -height * 0.016
  const shadow: Colour = scale(tones[sheets] ?? [0, 0, 0], 0.25)

  const here = new Float32Array(width)
  const towardsLamp = new Float32Array(width)
  const fibre = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    field.row(here, y)
    field.row(towardsLamp, y + throwY, throwX)
    noise.row(fibre, y * 0.35, 0, 0.35)
    for (let x = 0; x < width; x += 1) {
      const depth = clamp(here[x] ?? 0, 0, 1.2) * sheets
      const sheet = Math.min(sheets, Math.floor(depth))
      // The next sheet in front casts its shadow here if it is between this point and the lamp.
      const before = clamp(towardsLamp[x] ?? 0) * sheets
      const dark = smoothstep(sheet + 0.75, sheet + 1.3, before) * 0.5
      const near = smoothstep(sheet + 0.35, sheet + 1, depth) * 0.2
      const rim = smoothstep(0.1, 0.02, depth - sheet) * (sheet > 0 ? 0.22 : 0)
      const pixel = y * width + x
      coverMixed(canvas, pixel, tones[sheet] ?? shadow, white, rim, 1)
      cover(canvas, pixel, shadow, Math.max(dark, near))
      dim(canvas, pixel, 1 + 0.05 * (fibre[x] ?? 0))
    }
  }
  return develop(canvas, { vignette: 0.25 })
}

/** Returns the number of sheets over each point, as a fraction from 0 to 1: the shape of the cut. */
function cutDepths(
  shape: 'hole' | 'waves' | 'islands',
  cut: {
    width: number
    height: number
    fbm: (x: number, y: number) => number
    centre: { x: number; y: number }
    size: number
    offset: number
  },
): (x: number, y: number) => number {
  const { width, height, fbm, centre, size, offset } = cut
  const aspect = width / height
  return (x, y) => {
    const u = x / height
    const v = y / height
    const wobble = fbm(u * size + offset, v * size)
    if (shape === 'waves')
      return 1.02 * v + wobble * 0.5 - 0.1 + 0.06 * Math.sin(u * 5 + offset + wobble * 4)
    if (shape === 'islands') return 0.48 + wobble * 1.35
    const dx = u - centre.x * aspect
    const dy = v - centre.y
    return Math.sqrt(dx * dx * (aspect > 1 ? 0.75 : 1.2) + dy * dy) * 1.5 + wobble * 0.62 - 0.16
  }
}
