/** A street at night through a wet window: every drop turns the lights upside down. */
import type { Canvas } from '../canvas/canvas.ts'
import { copyCanvas, createCanvas, develop, fillRows, pixelAt, shine } from '../canvas/canvas.ts'
import { cover } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import {
  clamp,
  evenRamp,
  hex,
  lerp,
  mix,
  oklch,
  relight,
  scale,
  smoothstep,
} from '../canvas/colour.ts'
import { createField } from '../canvas/field.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Street = { air: readonly string[]; hues: readonly number[]; chroma: number; fog: string }

const streets: Record<MoodOf<'rainglass'>, Street> = {
  night: {
    air: ['#070b14', '#101c2c', '#1c2a36', '#0a0e14'],
    hues: [55, 70, 85, 30, 250, 200],
    chroma: 0.15,
    fog: '#2c3a46',
  },
  neon: {
    air: ['#0a0714', '#1c0f30', '#2a1440', '#0c0818'],
    hues: [340, 300, 200, 260, 20, 180],
    chroma: 0.2,
    fog: '#3a2c52',
  },
  dusk: {
    air: ['#2a3a58', '#5a5a78', '#a87868', '#3a3038'],
    hues: [60, 75, 45, 35],
    chroma: 0.13,
    fog: '#7a7a88',
  },
}

export function paintRainGlass({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'rainglass'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const street = streets[mood]
  const light = relight(random, 10)
  const view = createCanvas(width, height)
  const air = evenRamp(street.air.map((text) => light(hex(text))))
  fillRows(view, (v) => air.at(v))
  for (let i = random.whole(45, 85); i > 0; i -= 1) {
    const depth = random.next()
    const lamp = {
      x: random.next() * width,
      y: height * (0.52 + random.between(-0.36, 0.3) * (0.35 + depth)),
      radius: height * lerp(0.02, 0.1, depth ** 1.6),
      colour: oklch(
        random.between(0.62, 0.82),
        street.chroma * random.between(0.6, 1.1),
        random.pick(street.hues),
      ),
      strength: lerp(0.55, 0.16, depth),
    }
    paintSoftLight(view, lamp)
    // The wet road carries every lamp a second time, drawn out.
    if (random.chance(0.5))
      paintSoftLight(view, {
        ...lamp,
        y: height * random.between(0.78, 0.98),
        radius: lamp.radius * 1.3,
        strength: lamp.strength * 0.35,
      })
  }
  const canvas = copyCanvas(view)
  fogUp(canvas, noise, light(hex(street.fog)))
  const drops = scatterDrops(random, width, height, phase)
  for (const drop of drops) paintDrop(canvas, view, drop)
  return develop(canvas, { vignette: 0.35 })
}

function paintSoftLight(
  canvas: Canvas,
  lamp: { x: number; y: number; radius: number; colour: Colour; strength: number },
): void {
  const { width, height } = canvas
  const reach = lamp.radius * 1.12
  for (
    let y = Math.max(0, Math.floor(lamp.y - reach));
    y < Math.min(height, lamp.y + reach);
    y += 1
  ) {
    for (
      let x = Math.max(0, Math.floor(lamp.x - reach));
      x < Math.min(width, lamp.x + reach);
      x += 1
    ) {
      const away = Math.sqrt((x - lamp.x) ** 2 + (y - lamp.y) ** 2) / lamp.radius
      const inside = smoothstep(1.1, 0.82, away)
      if (inside > 0)
        shine(canvas, y * width + x, lamp.colour, lamp.strength * inside * (0.8 + 0.25 * away))
    }
  }
}

/** Breath on the pane: thicker low down, with clear runs where water came through. */
function fogUp(canvas: Canvas, noise: Noise, fog: Colour): void {
  const { width, height } = canvas
  const thick = createField(
    canvas,
    6,
    (x, y) => 0.34 + noise.fbm((x / height) * 2, (y / height) * 2, 3) * 0.4 + (y / height) * 0.16,
  )
  const row = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    thick.row(row, y)
    for (let x = 0; x < width; x += 1)
      cover(canvas, y * width + x, fog, clamp(row[x] ?? 0, 0.05, 0.62))
  }
}

type Drop = { x: number; y: number; radius: number; tall: number; trail: number }

function scatterDrops(random: Random, width: number, height: number, phase: number): Drop[] {
  const area = (width * height) / 1_024_000
  const beads = Array.from({ length: Math.round(1100 * area) }, (): Drop => {
    const radius = height * (0.0016 + random.next() ** 5 * 0.012)
    return {
      x: random.next() * width,
      y: random.next() * height,
      radius,
      tall: random.between(1, 1.18),
      trail: 0,
    }
  })
  const runs = Array.from(
    { length: Math.round(random.between(14, 30) * Math.sqrt(area)) },
    (): Drop => {
      const start = random.next()
      const falls = random.chance(0.7) ? 1 : 0
      const y = (((start + phase * falls) % 1) * 1.3 - 0.05) * height
      return {
        x: random.next() * width,
        y,
        radius: height * random.between(0.009, 0.02),
        tall: random.between(1.15, 1.45),
        trail: Math.max(0, Math.min(y, height * random.between(0.12, 0.55))),
      }
    },
  )
  return [...beads, ...runs]
}

function paintDrop(canvas: Canvas, view: Canvas, drop: Drop): void {
  const { width, height } = canvas
  if (drop.trail > 0) clearTrail(canvas, view, drop)
  const reachY = drop.radius * drop.tall
  for (
    let y = Math.max(0, Math.floor(drop.y - reachY));
    y < Math.min(height, drop.y + reachY + 1);
    y += 1
  ) {
    for (
      let x = Math.max(0, Math.floor(drop.x - drop.radius));
      x < Math.min(width, drop.x + drop.radius + 1);
      x += 1
    ) {
      const dx = (x - drop.x) / drop.radius
      const dy = (y - drop.y) / reachY
      const away = dx * dx + dy * dy
      if (away > 1) continue
      const bulge = Math.sqrt(1 - away)
      // A drop is a strong lens: left is right, and up is down.
      const seen = pixelAt(
        view,
        clamp(drop.x - dx * (1.3 - bulge) * height * 0.3, 0, width - 1),
        clamp(drop.y - dy * (1.3 - bulge) * height * 0.34, 0, height - 1),
      )
      const shade = 0.5 + 0.75 * bulge + 0.28 * dy
      const glint = smoothstep(0.16, 0.02, (dx + 0.34) ** 2 + (dy + 0.42) ** 2) * 0.5
      const opacity = clamp((1 - Math.sqrt(away)) * drop.radius * 1.3)
      cover(canvas, y * width + x, mix(scale(seen, shade * 1.15), [1, 1, 1], glint), opacity)
    }
  }
}

function clearTrail(canvas: Canvas, view: Canvas, drop: Drop): void {
  const { width } = canvas
  for (
    let y = Math.max(0, Math.round(drop.y - drop.trail));
    y < drop.y && y < canvas.height;
    y += 1
  ) {
    const up = (drop.y - y) / drop.trail
    const half = drop.radius * (0.85 - up * 0.55)
    const centre = drop.x + Math.sin(y * 0.03 + drop.radius) * drop.radius * 0.35
    for (
      let x = Math.max(0, Math.floor(centre - half));
      x < Math.min(width, centre + half);
      x += 1
    ) {
      const across = Math.abs(x - centre) / half
      const pixel = y * width + x
      cover(canvas, pixel, pixelAt(view, x, y), (1 - up) * 0.75 * smoothstep(1, 0.5, across))
    }
  }
}
