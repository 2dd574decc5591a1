/** A moon with craters, near enough to see the shadows in them. */
import type { Canvas } from '../canvas/canvas.ts'
import { cover, createCanvas, develop, fillRows } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, hex, lerp, mix, scale, smoothstep } from '../canvas/colour.ts'
import { createField } from '../canvas/field.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintStars, paintSun } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Look = { high: string; low: string; night: Colour; halo: Colour }

const looks: Record<MoodOf<'moon'>, Look> = {
  silver: {
    high: '#f1ece2',
    low: '#8d8b88',
    night: [0.004, 0.005, 0.009],
    halo: [0.2, 0.24, 0.32],
  },
  harvest: { high: '#ffd9a0', low: '#a06a3e', night: [0.01, 0.007, 0.012], halo: [0.4, 0.2, 0.08] },
  blood: {
    high: '#e2825a',
    low: '#5e1f1c',
    night: [0.008, 0.003, 0.005],
    halo: [0.35, 0.08, 0.05],
  },
  blue: { high: '#cfe2f4', low: '#54708f', night: [0.002, 0.005, 0.014], halo: [0.1, 0.22, 0.42] },
}

export function paintMoon({ seed, mood, width, height }: Commission<'moon'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const look = looks[mood]
  const canvas = createCanvas(width, height)
  fillRows(canvas, () => look.night)
  paintStars(canvas, random, { amount: 1300, horizon: 1.4 })
  const radius = Math.min(width, height) * random.between(0.3, 0.46)
  const centre = { x: width * random.between(0.42, 0.58), y: height * random.between(0.44, 0.56) }
  paintSun(canvas, {
    x: centre.x / width,
    y: centre.y / height,
    radius: radius / height,
    colour: [0, 0, 0],
    halo: look.halo,
    glow: 0.14,
    reach: 0.16,
  })

  const size = Math.ceil(radius) * 2 + 4
  const ground = shapeGround(random, noise, size, radius)
  const phase = random.between(-1.15, 1.15)
  const sun = { x: Math.sin(phase), y: random.between(-0.25, 0.25), z: Math.cos(phase) }
  const seas = { offset: random.between(0, 60), amount: random.between(-0.05, 0.12) }
  paintGlobe(canvas, noise, {
    centre,
    radius,
    size,
    ground,
    sun,
    seas,
    high: hex(look.high),
    low: hex(look.low),
  })
  return develop(canvas, { curve: 'film', vignette: 0.2, exposure: 1.1 })
}

/** Returns the heights of the visible disc: craters with raised rims on rough ground. */
function shapeGround(random: Random, noise: Noise, size: number, radius: number): Float32Array {
  const ground = new Float32Array(size * size)
  const rough = createField({ width: size, height: size }, 2, (x, y) =>
    noise.fbm((x / radius) * 7, (y / radius) * 7, 4, 0.55),
  )
  for (let y = 0; y < size; y += 1) {
    const row = ground.subarray(y * size, (y + 1) * size)
    rough.row(row, y)
    for (let x = 0; x < size; x += 1) row[x] = (row[x] ?? 0) * 0.007
  }
  for (let i = random.whole(170, 300); i > 0; i -= 1) {
    const z = random.between(-0.97, 0.97)
    const turn = random.between(0, Math.PI)
    const flat = Math.sqrt(1 - z * z)
    const across = Math.cos(turn) * flat
    const depth = Math.sin(turn) * flat
    const reach = 0.012 + random.next() ** 5 * 0.17
    digCrater(ground, size, {
      x: size / 2 + across * radius,
      y: size / 2 + z * radius,
      radius: reach * radius,
      squeezeX: lerp(0.35, 1, depth),
      deep: reach * random.between(0.05, 0.12),
    })
  }
  return ground
}

function digCrater(
  ground: Float32Array,
  size: number,
  crater: { x: number; y: number; radius: number; squeezeX: number; deep: number },
): void {
  const reach = crater.radius * 1.5
  for (
    let y = Math.max(0, Math.floor(crater.y - reach));
    y < Math.min(size, crater.y + reach);
    y += 1
  ) {
    for (
      let x = Math.max(0, Math.floor(crater.x - reach));
      x < Math.min(size, crater.x + reach);
      x += 1
    ) {
      const dx = (x - crater.x) / (crater.radius * crater.squeezeX)
      const dy = (y - crater.y) / crater.radius
      const away = Math.sqrt(dx * dx + dy * dy)
      if (away > 1.5) continue
      const bowl = away < 1 ? away * away - 1 : 0
      const rim = Math.exp(-(((away - 1) / 0.2) ** 2)) * 0.55
      const i = y * size + x
      ground[i] = (ground[i] ?? 0) + crater.deep * (bowl + rim)
    }
  }
}

function paintGlobe(
  canvas: Canvas,
  noise: Noise,
  moon: {
    centre: { x: number; y: number }
    radius: number
    size: number
    ground: Float32Array
    sun: { x: number; y: number; z: number }
    seas: { offset: number; amount: number }
    high: Colour
    low: Colour
  },
): void {
  const { radius, size, ground, sun, seas } = moon
  const left = Math.round(moon.centre.x - size / 2)
  const top = Math.round(moon.centre.y - size / 2)
  const seasAt = createField({ width: size, height: size }, 4, (x, y) =>
    noise.fbm((x / radius) * 1.25 + seas.offset, (y / radius) * 1.25, 4),
  )
  const dustAt = createField({ width: size, height: size }, 3, (x, y) =>
    noise.fbm((x / radius) * 5 + seas.offset, (y / radius) * 5, 3),
  )
  const seaRow = new Float32Array(size)
  const dustRow = new Float32Array(size)
  for (let y = 1; y < size - 1; y += 1) {
    seasAt.row(seaRow, y)
    dustAt.row(dustRow, y)
    const row = top + y
    if (row < 0 || row >= canvas.height) continue
    for (let x = 1; x < size - 1; x += 1) {
      const column = left + x
      if (column < 0 || column >= canvas.width) continue
      const px = (x - size / 2) / radius
      const py = (y - size / 2) / radius
      const away = Math.sqrt(px * px + py * py)
      if (away > 1.004) continue
      const i = y * size + x
      const pz = Math.sqrt(Math.max(0.0004, 1 - away * away))
      const bumpX = ((ground[i + 1] ?? 0) - (ground[i - 1] ?? 0)) * radius * 0.5
      const bumpY = ((ground[i + size] ?? 0) - (ground[i - size] ?? 0)) * radius * 0.5
      const nx = px - bumpX * 1.7
      const ny = py - bumpY * 1.7
      // Dust reflects light straight back, so a full moon is not darker at its rim.
      const front = 0.3 + 0.7 * pz
      const length = Math.sqrt(nx * nx + ny * ny + front * front)
      const facing = (nx * sun.x + ny * sun.y + front * sun.z) / length
      const sea = smoothstep(-0.03, 0.16, (seaRow[x] ?? 0) + seas.amount)
      const dark = clamp(sea * 0.8 - (dustRow[x] ?? 0) * 0.25)
      const lit = Math.max(0, facing - 0.04) ** 0.8 * 1.2 + 0.004
      const edge = clamp((1 - away) * radius + 0.5)
      const pixel = row * canvas.width + column
      cover(canvas, pixel, scale(mix(moon.high, moon.low, dark), lit), edge)
    }
  }
}
