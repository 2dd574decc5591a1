/** Spiral galaxies, and the nebulae in which stars form. */
import type { Canvas } from '../canvas/canvas.ts'
import { createCanvas, develop, fillRows, shine } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, oklch, smoothstep } from '../canvas/colour.ts'
import { createField } from '../canvas/field.ts'
import { paintGlow } from '../canvas/marks.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintStars } from '../canvas/sky.ts'
import type { Commission } from '../repertoire.ts'

export function paintGalaxy({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'galaxy'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const canvas = createCanvas(width, height)
  fillRows(canvas, () => [0.0015, 0.002, 0.005])
  if (mood === 'spiral') paintSpiral(canvas, random, noise, phase)
  else paintNebula(canvas, random, noise, phase)
  paintStars(canvas, random, {
    amount: mood === 'spiral' ? 1500 : 2600,
    horizon: 1.4,
    brightness: 1.2,
  })
  for (let i = random.whole(2, 6); i > 0; i -= 1) paintBrightStar(canvas, random)
  return develop(canvas, { vignette: 0.35 })
}

function paintSpiral(canvas: Canvas, random: Random, noise: Noise, phase: number): void {
  const { width, height } = canvas
  const tilt = random.between(0.32, 0.8)
  const lean = random.between(-0.7, 0.7)
  const arms = random.pick([2, 2, 3, 4])
  const wind = random.between(2.2, 4)
  const hue = random.between(220, 300)
  const core: Colour = oklch(0.86, 0.09, random.between(55, 90))
  const arm = oklch(0.6, 0.14, hue)
  const bloom = oklch(0.62, 0.2, random.between(330, 370))
  const centre = { x: width * random.between(0.4, 0.6), y: height * random.between(0.42, 0.58) }
  const reach = Math.min(width, height) * random.between(0.62, 0.82)
  const cosine = Math.cos(lean)
  const sine = Math.sin(lean)
  const turned = (phase * Math.PI * 2) / arms
  const light = (x: number, y: number) => {
    const px = (x - centre.x) / reach
    const py = (y - centre.y) / reach
    const across = px * cosine + py * sine
    const down = (py * cosine - px * sine) / tilt
    return { across, down, away: Math.sqrt(across * across + down * down) }
  }
  const dust = createField(canvas, 3, (x, y) => {
    const { across, down } = light(x, y)
    return noise.fbm(across * 5 + 20, down * 5, 5, 0.6)
  })
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const { across, down, away } = light(x, y)
      if (away > 1.25) continue
      const cloud = dust.at(x, y)
      const angle = Math.atan2(down, across) + turned
      const swing = Math.cos((angle + Math.log(away + 0.06) * wind + cloud * 0.7) * arms)
      const inArm = smoothstep(-0.35, 0.95, swing)
      const fade = Math.exp(-away * 3.1) * smoothstep(1.25, 0.6, away)
      const lane = smoothstep(0.02, 0.34, cloud + 0.16 - inArm * 0.1)
      const pixel = y * width + x
      shine(canvas, pixel, arm, inArm * fade * (0.55 + lane * 1.1) * 1.7)
      shine(canvas, pixel, bloom, inArm ** 3 * smoothstep(0.16, 0.5, cloud) * fade * 1.5)
      shine(
        canvas,
        pixel,
        core,
        Math.exp(-away * 10.5) * 1.5 + Math.exp(-away * 3.6) * 0.18 * smoothstep(1.25, 0.5, away),
      )
    }
  }
}

/** Paints two gases: one is lit, and one hides the light behind it. */
function paintNebula(canvas: Canvas, random: Random, noise: Noise, phase: number): void {
  const { width, height } = canvas
  const hue = random.between(0, 360)
  const inner = oklch(0.78, 0.13, hue)
  const outer = oklch(0.46, 0.17, hue + random.between(40, 110))
  const rim = oklch(0.4, 0.13, hue + random.between(140, 220))
  const offset = random.between(0, 60)
  const centre = { x: random.between(0.3, 0.7) * (width / height), y: random.between(0.3, 0.7) }
  const size = random.between(0.9, 1.5)
  const sway = { x: Math.cos(phase * Math.PI * 2) * 0.05, y: Math.sin(phase * Math.PI * 2) * 0.05 }
  const warp = createField(canvas, 8, (x, y) =>
    noise.fbm((x / height) * size + offset + sway.x, (y / height) * size + sway.y, 4),
  )
  const gas = createField(canvas, 3, (x, y) => {
    const bend = warp.at(x, y) * 1.5
    return noise.fbm(
      (x / height) * size * 1.5 + bend,
      (y / height) * size * 1.5 + offset - bend,
      6,
      0.55,
    )
  })
  const veil = createField(canvas, 4, (x, y) =>
    noise.ridged(
      (x / height) * size * 1.3 + offset * 2,
      (y / height) * size * 1.3 + warp.at(x, y) * 1.2,
      5,
    ),
  )
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const dx = x / height - centre.x
      const dy = y / height - centre.y
      const away = Math.sqrt(dx * dx + dy * dy)
      const thick = gas.at(x, y)
      const dark = smoothstep(0.5, 0.85, veil.at(x, y)) * 0.8
      const body = smoothstep(-0.22, 0.5, thick + 0.16 - away * 0.32) * (1 - dark)
      const pixel = y * width + x
      shine(canvas, pixel, rim, body * 0.5)
      shine(canvas, pixel, outer, body * body * 1.1)
      shine(canvas, pixel, inner, body ** 4 * clamp(1.5 - away * 1.9) * 1.4)
    }
  }
}

/** Paints a star that is bright enough to flare. */
function paintBrightStar(canvas: Canvas, random: Random): void {
  const x = random.next() * canvas.width
  const y = random.next() * canvas.height
  const size = canvas.height * random.between(0.008, 0.022)
  const colour = oklch(0.92, 0.05, random.pick([60, 90, 240, 260]))
  paintGlow(canvas, { x, y, radius: size * 1.7 }, colour, 0.13)
  paintGlow(canvas, { x, y, radius: size * 0.38 }, [1, 1, 1], 1.8)
  for (let step = -30; step <= 30; step += 1) {
    const fall = (1 - Math.abs(step) / 30) ** 3 * 0.5
    paintGlow(canvas, { x: x + (step / 30) * size * 2.6, y, radius: 1.6 }, colour, fall)
    paintGlow(canvas, { x, y: y + (step / 30) * size * 2.6, radius: 1.6 }, colour, fall)
  }
}
