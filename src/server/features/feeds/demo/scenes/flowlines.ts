/** Brush lines that follow a current which nobody sees. */
import { createCanvas, develop, fillRows } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { hex, relight } from '../canvas/colour.ts'
import { drawLine } from '../canvas/marks.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

/** The ground first, then the inks, the commonest first. */
const palettes: Record<MoodOf<'flowlines'>, readonly (readonly string[])[]> = {
  paper: [
    ['#ece2cd', '#1f2d36', '#2a545e', '#c25a32', '#e0a650', '#70836e'],
    ['#f2ece0', '#3a3f5c', '#8a4a5e', '#d98a6a', '#7f9fa8', '#c9b458'],
    ['#e6e8e0', '#26423c', '#4f7a5e', '#a8b86a', '#d9a05a', '#7a4a3a'],
  ],
  ink: [
    ['#efeae0', '#16181c', '#16181c', '#3a3f48', '#6c727c', '#b53a2a'],
    ['#e9edf0', '#12263c', '#12263c', '#2f5478', '#7a9ab8', '#c98a3a'],
  ],
  ember: [
    ['#14100f', '#e8622a', '#f2a03c', '#b8342a', '#f6d98a', '#5e2a38'],
    ['#0e1420', '#3f8ab0', '#6fc0c4', '#e0b060', '#2a4a78', '#e86a5a'],
    ['#120f1a', '#b04a8c', '#6a5ac0', '#f0a0a8', '#3a7aa8', '#f4e0b0'],
  ],
}

export function paintFlowlines({ seed, mood, width, height }: Commission<'flowlines'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const light = relight(random, 16)
  const [ground = [1, 1, 1], ...ink] = random.pick(palettes[mood]).map((text) => light(hex(text)))
  const canvas = createCanvas(width, height)
  fillRows(canvas, () => ground)
  const angleAt = drawCurrent(random, noise, width, height)
  const unit = height / 800
  const lines = Math.round((random.between(620, 950) * (width * height)) / 1_024_000)
  const longest = random.between(28, 70)
  const widest = random.between(2.4, 5.5) * unit
  for (let i = 0; i < lines; i += 1) {
    const start = {
      x: random.between(-0.05, 1.05) * width,
      y: random.between(-0.05, 1.05) * height,
    }
    const points = follow(angleAt, start, {
      steps: Math.round(random.between(0.4, 1) * longest),
      stride: 8 * unit,
    })
    const radius = 0.5 * unit + random.next() ** 4 * widest
    const colour: Colour = ink[Math.floor(random.next() ** 1.6 * ink.length)] ?? ground
    const taper = random.between(0.4, 1)
    drawLine(
      canvas,
      points,
      (along) => radius * (1 - taper * Math.abs(along * 2 - 1) ** 2.4),
      colour,
      random.between(0.75, 1),
    )
  }
  return develop(canvas, { vignette: 0.12 })
}

type Current = (x: number, y: number) => number

/** Noise alone, around a whirl, or along a slow wave: each bends the lines in its own way. */
function drawCurrent(random: Random, noise: Noise, width: number, height: number): Current {
  const size = random.between(0.9, 1.9) / height
  const bend = random.between(4, 9)
  const start = random.between(0, Math.PI * 2)
  const whirl = { x: random.between(0.3, 0.7) * width, y: random.between(0.3, 0.7) * height }
  const field = (x: number, y: number) => noise.fbm(x * size + 3, y * size, 2) * bend + start
  switch (random.pick(['noise', 'noise', 'whirl', 'wave'] as const)) {
    case 'noise':
      return field
    case 'whirl':
      return (x, y) =>
        Math.atan2(y - whirl.y, x - whirl.x) +
        Math.PI / 2 +
        noise.fbm(x * size * 1.4, y * size * 1.4, 2) * 2.2
    case 'wave':
      return (x, y) =>
        Math.sin(x * size * 3 + start) * 0.8 + noise.fbm(x * size, y * size * 2, 2) * 2.4
  }
}

function follow(
  angleAt: Current,
  start: { x: number; y: number },
  way: { steps: number; stride: number },
): number[] {
  let { x, y } = start
  const points = [x, y]
  for (let step = 0; step < way.steps; step += 1) {
    const angle = angleAt(x, y)
    x += Math.cos(angle) * way.stride
    y += Math.sin(angle) * way.stride
    points.push(x, y)
  }
  return points
}
