/** An aurora: curtains of light over a dark shore. */
import { createCanvas, develop, shine } from '../canvas/canvas.ts'
import type { Canvas } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { evenStops, hex, mix, relight, scale, smoothstep } from '../canvas/colour.ts'
import { mirrorWater, paintConifer, paintLand, traceRidge } from '../canvas/land.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintSky, paintStars } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Curtain = {
  horizon: number
  distance: number
  slant: number
  tall: number
  strength: number
  offset: number
  lowColour: Colour
  highColour: Colour
  phase: number
}

type Palette = { sky: readonly string[]; foot: Colour; crown: Colour }

const shadeSteps = 1600
const raysPerPixel = 2

const palettes: Record<MoodOf<'aurora'>, Palette> = {
  green: {
    sky: ['#03060f', '#07182a', '#0f3a42'],
    foot: [0.08, 0.9, 0.42],
    crown: [0.34, 0.16, 0.62],
  },
  violet: {
    sky: ['#05040f', '#140f33', '#2c2a5c'],
    foot: [0.16, 0.62, 0.72],
    crown: [0.75, 0.12, 0.7],
  },
  crimson: {
    sky: ['#070309', '#1c0b20', '#3d1c36'],
    foot: [0.42, 0.8, 0.26],
    crown: [0.95, 0.1, 0.22],
  },
}

export function paintAurora({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'aurora'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const palette = palettes[mood]
  const light = relight(random, 12)
  const canvas = createCanvas(width, height)
  const overWater = random.chance(0.55)
  const line = overWater ? random.between(0.62, 0.76) : 1
  const horizon = overWater ? line : random.between(0.78, 0.9)

  const stops = evenStops(palette.sky.map((text) => light(hex(text))))
  paintSky(canvas, stops, horizon)
  paintStars(canvas, random, { amount: 1100, horizon })
  const glow = createCanvas(width, height)
  const curtains = random.whole(2, 4)
  for (let i = 0; i < curtains; i += 1) {
    paintCurtain(glow, noise, {
      horizon,
      distance: random.between(0.75, 1.5),
      slant: random.between(-1, 1),
      tall: random.between(0.3, 0.6),
      strength: random.between(1.2, 1.84) / (1 + i * 0.3),
      offset: random.between(0, 80),
      lowColour: light(palette.foot),
      highColour: light(palette.crown),
      phase,
    })
  }
  // Without the blur, a fold seen edge-on would end abruptly. Blur twice, because one blur leaves visible
  // edges.
  for (let i = 0; i < 2; i += 1) blurSideways(glow, Math.max(1, Math.round(width * 0.005)))
  for (const [i, added] of glow.light.entries()) canvas.light[i] = (canvas.light[i] ?? 0) + added
  const air = light(hex(palette.sky[2] ?? '#000000'))
  paintShore(canvas, random, noise, { horizon, air, overWater })
  if (overWater)
    mirrorWater(canvas, noise, {
      line,
      tint: [0.004, 0.012, 0.02],
      clarity: 0.72,
      ripple: random.between(0.1, 0.6),
      phase,
    })
  return develop(canvas, { vignette: 0.3 })
}

/**
 * Paints a ribbon that meanders over the ground, seen from below. Nearer parts are higher and wider. Where
 * the ribbon turns edge-on its rays are closer together, which makes an aurora look alive.
 */
function paintCurtain(canvas: Canvas, noise: Noise, curtain: Curtain): void {
  const { width, height } = canvas
  const { offset, horizon } = curtain
  const turn = curtain.phase * Math.PI * 2
  const swayX = Math.sin(turn) * 0.1
  const swayY = Math.cos(turn) * 0.1
  const { footGlow, colours } = shadesOf(curtain)
  const steps = width * raysPerPixel
  const spread = 2.3 * (width / height) ** 0.7
  for (let step = 0; step < steps; step += 1) {
    const along = step / steps
    const bendX = noise.fbm(along * 3.2 + offset + swayX, offset + swayY, 3)
    const bendZ = noise.fbm(along * 2.4 + offset * 1.7 - swayY, offset + 40 + swayX, 3)
    const distance = curtain.distance * (1 + curtain.slant * (along - 0.5) + bendZ * 1.5)
    if (distance < 0.35) continue
    const x = width / 2 + (((along - 0.5) * spread + bendX * spread * 0.26) / distance) * height
    const column = Math.floor(x)
    if (column < 0 || column >= width - 1) continue
    const streak =
      noise.at(along * 70 + offset, swayX * 5) + 0.5 * noise.at(along * 210, offset + swayY * 5)
    const presence = smoothstep(
      -0.32,
      0.2,
      noise.fbm(along * 3 + offset * 2 + swayY, 7.7 + swayX, 3),
    )
    const bright = (curtain.strength / raysPerPixel) * presence * Math.max(0.12, 0.6 + streak * 0.8)
    const foot = horizon - 0.3 / distance
    const tall = (curtain.tall * (0.85 + streak * 0.3)) / distance
    const bottom = Math.min(horizon, foot + tall * 0.3) * height
    const right = bright * (x - column)
    for (let y = Math.max(0, Math.round((foot - tall * 1.3) * height)); y < bottom; y += 1) {
      const up = (foot - y / height) / tall
      const place = Math.round((up < 0 ? -up : up) * shadeSteps)
      const colour = (up < 0 ? footGlow : colours)[place]
      if (!colour) continue
      shine(canvas, y * width + column, colour, bright - right)
      shine(canvas, y * width + column + 1, colour, right)
    }
  }
}

function blurSideways({ width, height, light }: Canvas, radius: number): void {
  const share = 1 / (radius * 2 + 1)
  const row = new Float32Array(width * 3)
  for (let y = 0; y < height; y += 1) {
    row.set(light.subarray(y * width * 3, (y + 1) * width * 3))
    for (let channel = 0; channel < 3; channel += 1) {
      let sum = 0
      for (let x = 0; x < radius; x += 1) sum += row[x * 3 + channel] ?? 0
      for (let x = 0; x < width; x += 1) {
        sum += row[(x + radius) * 3 + channel] ?? 0
        light[(y * width + x) * 3 + channel] = Math.max(0, sum) * share
        sum -= row[(x - radius) * 3 + channel] ?? 0
      }
    }
  }
}

/** Returns the colours along a ray, below its foot and above it. */
function shadesOf({ lowColour, highColour }: Curtain) {
  const footGlow = Array.from({ length: shadeSteps + 1 }, (_, i) =>
    scale(lowColour, Math.exp((-i / shadeSteps) * 15)),
  )
  const colours = Array.from({ length: Math.round(shadeSteps * 1.3) }, (_, i) => {
    const up = i / shadeSteps
    const fall = Math.exp(-up * 2) * smoothstep(1.3, 0.4, up)
    return scale(mix(lowColour, highColour, smoothstep(0.08, 0.75, up)), fall)
  })
  return { footGlow, colours }
}

function paintShore(
  canvas: Canvas,
  random: Random,
  noise: Noise,
  { horizon, air, overWater }: { horizon: number; air: Colour; overWater: boolean },
): void {
  const { width, height } = canvas
  const far = traceRidge(
    canvas,
    noise,
    {
      base: horizon - 0.01,
      relief: random.between(0.1, 0.3),
      frequency: 1.7,
      sharpness: random.between(0.2, 0.9),
    },
    11,
  )
  const bottom = overWater ? Math.round(horizon * height) : height
  const dark = mix(air, [0, 0, 0], 0.72)
  paintLand(canvas, far, (depth) => mix(dark, air, smoothstep(0, 0.3, depth) * 0.4), bottom)
  const near = traceRidge(
    canvas,
    noise,
    { base: horizon + 0.02, relief: 0.06, frequency: 2.6, sharpness: 0.2 },
    41,
  )
  const black: Colour = [0.002, 0.004, 0.006]
  const trees = random.between(0.02, 0.09) * height
  for (let x = -10; x < width + 10; x += trees * random.between(0.1, 0.5)) {
    const foot = Math.min(bottom, near[Math.max(0, Math.min(width - 1, Math.round(x)))] ?? bottom)
    if (random.chance(0.75))
      paintConifer(canvas, random, {
        x,
        y: foot + 3,
        height: trees * random.between(0.4, 1.2),
        colour: black,
      })
  }
  paintLand(canvas, near, () => black, bottom)
}
