/** Paper lanterns that rise over dark water. */
import type { Canvas } from '../canvas/canvas.ts'
import { createCanvas, develop } from '../canvas/canvas.ts'
import { cover } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenStops, hex, lerp, mix, relight, scale } from '../canvas/colour.ts'
import { mirrorWater, paintConifer, paintLand, traceRidge } from '../canvas/land.ts'
import { paintGlow } from '../canvas/marks.ts'
import { createNoise } from '../canvas/noise.ts'
import { brushOutline } from '../canvas/path.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintSky, paintStars } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Palette = { sky: readonly string[]; hill: string; paper: readonly Colour[] }

const palettes: Record<MoodOf<'lanterns'>, Palette> = {
  amber: {
    sky: ['#050816', '#101a34', '#2c2f50', '#5a4456'],
    hill: '#05070f',
    paper: [
      [1.7, 0.72, 0.2],
      [1.8, 0.9, 0.34],
      [1.5, 0.5, 0.12],
    ],
  },
  rose: {
    sky: ['#0b0618', '#241238', '#4f2a58', '#92506c'],
    hill: '#0a0512',
    paper: [
      [1.8, 0.55, 0.4],
      [1.8, 0.85, 0.5],
      [1.4, 0.3, 0.42],
    ],
  },
  jade: {
    sky: ['#020b12', '#06222c', '#12474c', '#3a7466'],
    hill: '#020809',
    paper: [
      [1.7, 0.95, 0.35],
      [0.7, 1.3, 0.7],
      [1.6, 0.75, 0.22],
    ],
  },
}

export function paintLanterns({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'lanterns'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 12)
  const canvas = createCanvas(width, height)
  const line = random.between(0.68, 0.84)

  paintSky(canvas, evenStops(palette.sky.map((text) => light(hex(text)))), line)
  paintStars(canvas, random, { amount: 800, horizon: line, brightness: 0.8 })
  const hill = light(hex(palette.hill))
  for (const [base, relief, back] of [
    [-0.02, 0.26, 0.55],
    [0.01, 0.14, 0.1],
  ] as const) {
    const ridge = {
      base: line + base,
      relief,
      frequency: random.between(1.2, 2.2),
      sharpness: random.between(0.1, 0.7),
    }
    const skyline = traceRidge(canvas, noise, ridge, random.between(0, 90))
    const tone = mix(hill, light(hex(palette.sky[2] ?? '#000000')), back)
    paintLand(canvas, skyline, () => tone, Math.round(line * height))
  }
  for (let x = 0; x < width; x += height * random.between(0.004, 0.03))
    paintConifer(canvas, random, {
      x,
      y: line * height + 1,
      height: height * random.between(0.012, 0.045),
      colour: hill,
    })

  const count = random.whole(38, 90)
  const lanterns = Array.from({ length: count }, () => ({
    nearness: random.next() ** 2.6,
    x: random.between(-0.03, 1.03),
    y: random.between(0.02, 1),
    paper: random.pick(palette.paper),
    sway: random.between(0, Math.PI * 2),
  })).sort((a, b) => a.nearness - b.nearness)
  for (const { nearness, x, y, paper, sway } of lanterns) {
    const size = height * lerp(0.006, 0.065, nearness)
    const drift = Math.sin(phase * Math.PI * 2 + sway)
    const top = line - 0.02 - nearness * 0.06
    paintLantern(canvas, random.fork(`${sway}`), {
      x: x * width + drift * size * 0.22,
      y: y * top * height - Math.cos(phase * Math.PI * 2 + sway) * size * 0.16,
      size,
      paper: light(paper),
      tilt: drift * 0.05,
    })
  }
  mirrorWater(canvas, noise, {
    line,
    tint: scale(hill, 1.5),
    clarity: 0.7,
    ripple: random.between(0.3, 1.1),
    phase,
  })
  return develop(canvas, { vignette: 0.35 })
}

function paintLantern(
  canvas: Canvas,
  random: Random,
  lantern: { x: number; y: number; size: number; paper: Colour; tilt: number },
): void {
  const { x, y, size, paper, tilt } = lantern
  paintGlow(canvas, { x, y: y + size * 0.3, radius: size * 4.2 }, paper, 0.1)
  paintGlow(canvas, { x, y: y + size * 0.3, radius: size * 1.8 }, paper, 0.2)
  const slim = random.between(0.74, 0.86)
  const side = Array.from({ length: 25 }, (_, i) => {
    const down = -0.85 + (i / 24) * 1.7
    return { across: slim * Math.sqrt(1 - ((down - 0.12) / 1.2) ** 2), down }
  })
  const outline = [
    ...side,
    ...side.toReversed().map(({ across, down }) => ({ across: -across, down })),
  ].flatMap(({ across, down }) => [
    x + (across - down * tilt) * size,
    y + (down + across * tilt) * size,
  ])
  const flame = y + size * 0.62
  brushOutline(canvas, outline, (pixel, coverage, px, py) => {
    const near = Math.sqrt(((px - x) * 0.9) ** 2 + (py - flame) ** 2) / size
    const rib = 1 - 0.12 * Math.cos(((px - x) / size) * 14)
    cover(canvas, pixel, scale(paper, clamp(1.25 - near * 0.62, 0.28, 1.3) * rib), coverage * 0.94)
  })
  paintGlow(canvas, { x, y: flame, radius: size * 0.55 }, [1.4, 1.2, 0.7], 0.7)
}
