/** Planets and their moons in front of thin clouds of gas. */
import type { Canvas } from '../canvas/canvas.ts'
import { cover, createCanvas, develop, dim, fillRows, shine } from '../canvas/canvas.ts'
import type { Colour, Ramp } from '../canvas/colour.ts'
import { clamp, evenRamp, hex, oklch, scale, smoothstep } from '../canvas/colour.ts'
import { createField } from '../canvas/field.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintStars } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

const night: Colour = [0.002, 0.003, 0.007]

type World = {
  x: number
  y: number
  radius: number
  surface: Ramp
  /** Returns the position on the ramp. u runs around, v from pole to pole, each about -1 to 1. */
  place(u: number, v: number): number
  air: Colour
  tilt: number
}

const surfaces: Record<MoodOf<'planets'>, readonly (readonly string[])[]> = {
  giant: [
    ['#5a3a2c', '#b98560', '#e9d3b0', '#c58f5e', '#f3e6cf', '#8a5a44'],
    ['#2c3f5e', '#6f93b4', '#d3e2ea', '#8fb0c4', '#f0f4f2', '#476a8c'],
    ['#4a2a4e', '#a86a86', '#ecc3b8', '#c98a94', '#f6e0d0', '#6e4468'],
  ],
  ocean: [
    ['#06203e', '#0d4270', '#1c6c94', '#c9b98a', '#5b7a4a', '#e9ece6'],
    ['#0a1c30', '#164a5e', '#2f8a86', '#b9a878', '#8a6a4a', '#f0efe8'],
  ],
  ember: [
    ['#120808', '#3a1410', '#7a2412', '#d4551c', '#ffb048', '#2a0e0c'],
    ['#14100e', '#40302a', '#7c5c4a', '#b48a6a', '#dcc09a', '#5a4034'],
  ],
}

export function paintPlanets({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'planets'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const canvas = createCanvas(width, height)
  const angle = random.between(-0.9, 0.9) + (random.chance(0.5) ? Math.PI : 0)
  const sun = {
    x: Math.cos(angle) * 0.86,
    y: Math.sin(angle) * 0.5 - 0.2,
    z: random.between(0.1, 0.55),
  }
  paintGas(canvas, random, noise)
  paintStars(canvas, random, { amount: 1800, horizon: 1.4, brightness: 1.1 })

  const small = Math.min(width, height)
  const world = createWorld(random, noise, mood, phase)
  const main: World = {
    ...world,
    x: width * random.between(0.3, 0.7),
    y: height * random.between(0.38, 0.66),
    radius: small * (width < height ? random.between(0.32, 0.5) : random.between(0.26, 0.42)),
  }
  const ringed = mood === 'giant' ? random.chance(0.75) : random.chance(0.12)
  const ring = ringed ? drawRing(random, noise, main) : null
  for (let i = random.whole(0, 3); i > 0; i -= 1) {
    const moon = createWorld(random, noise, random.pick(['ember', 'ocean', 'giant'] as const), 0)
    const far = {
      ...moon,
      radius: small * random.between(0.012, 0.055),
      x: width * random.between(0.06, 0.94),
      y: height * random.between(0.06, 0.94),
    }
    if (Math.hypot(far.x - main.x, far.y - main.y) > main.radius * 1.25)
      paintWorld(canvas, far, sun)
  }
  if (ring) paintRing(canvas, main, ring, sun, 'behind')
  paintWorld(canvas, main, sun)
  if (ring) paintRing(canvas, main, ring, sun, 'before')
  return develop(canvas, { vignette: 0.3 })
}

function createWorld(
  random: Random,
  noise: Noise,
  kind: MoodOf<'planets'>,
  phase: number,
): Omit<World, 'x' | 'y' | 'radius'> {
  const surface = evenRamp(random.pick(surfaces[kind]).map(hex))
  const offset = random.between(0, 60)
  const bands = random.between(3, 6)
  const turn = Math.sin(phase * Math.PI * 2) * 0.15
  const place =
    kind === 'giant'
      ? (u: number, v: number) => {
          const swirl = noise.fbm((u + turn) * 1.6 + offset, v * 7, 4) * 0.4
          const band =
            noise.at(offset, v * bands + swirl) +
            0.35 * noise.at(offset + 9, v * bands * 3.1 + swirl * 2)
          return 0.5 + band * 0.9
        }
      : (u: number, v: number) => {
          const land = noise.fbm((u + turn) * 2 + offset, v * 2, 6, 0.55)
          const ice = kind === 'ocean' ? smoothstep(0.92, 1.1, Math.abs(v) + land * 0.3) : 0
          return clamp(0.46 + land * 0.85) * (1 - ice) + ice
        }
  const air: Colour =
    kind === 'ember'
      ? [0.75, 0.35, 0.15]
      : kind === 'ocean'
        ? [0.3, 0.6, 1]
        : scale(surface.at(0.5), 0.9)
  return { surface, place, air, tilt: random.between(-0.5, 0.5) }
}

function paintWorld(canvas: Canvas, world: World, sun: { x: number; y: number; z: number }): void {
  const { width, height } = canvas
  const { radius } = world
  const reach = radius * 1.16
  const cosine = Math.cos(world.tilt)
  const sine = Math.sin(world.tilt)
  for (
    let y = Math.max(0, Math.floor(world.y - reach));
    y < Math.min(height, world.y + reach);
    y += 1
  ) {
    for (
      let x = Math.max(0, Math.floor(world.x - reach));
      x < Math.min(width, world.x + reach);
      x += 1
    ) {
      const px = (x - world.x) / radius
      const py = (y - world.y) / radius
      const away = Math.sqrt(px * px + py * py)
      if (away > 1.16) continue
      const pixel = y * width + x
      const towards = (px * sun.x + py * sun.y) / Math.max(1, away)
      if (away > 1)
        shine(canvas, pixel, world.air, Math.exp(-(away - 1) * 26) * clamp(0.25 + towards) * 0.5)
      const edge = clamp((1 - away) * radius + 0.5)
      if (edge <= 0) continue
      const pz = Math.sqrt(Math.max(0, 1 - away * away))
      const facing = px * sun.x + py * sun.y + pz * sun.z
      const day = smoothstep(-0.22, 0.95, facing)
      const across = px * cosine + py * sine
      const down = py * cosine - px * sine
      // On a globe, points are closer together towards the rim.
      const bulge = 1 + 0.35 * (1 - pz)
      const ground = world.surface.at(world.place(across * bulge, down * bulge))
      const rim = (1 - pz) ** 3 * 0.55 * smoothstep(-0.3, 0.6, facing)
      dim(canvas, pixel, 1 - edge)
      shine(canvas, pixel, ground, (day * 1.25 + 0.006) * edge)
      shine(canvas, pixel, world.air, rim * edge)
    }
  }
}

type Ring = {
  inner: number
  outer: number
  flat: number
  tilt: number
  opacity: (t: number) => number
  colour: Ramp
}

function drawRing(random: Random, noise: Noise, world: World): Ring {
  const offset = random.between(0, 50)
  const inner = random.between(1.25, 1.45)
  return {
    inner,
    outer: inner + random.between(0.5, 1.05),
    flat: random.between(0.12, 0.34),
    tilt: world.tilt + random.between(-0.1, 0.1),
    opacity: (t) =>
      clamp(0.62 + noise.at(t * 9 + offset, 1) * 0.8 + noise.at(t * 34, offset) * 0.5) *
      smoothstep(0, 0.06, t) *
      smoothstep(1, 0.9, t),
    colour: evenRamp([world.surface.at(0.4), world.surface.at(0.65), world.surface.at(0.2)]),
  }
}

function paintRing(
  canvas: Canvas,
  world: World,
  ring: Ring,
  sun: { x: number; y: number; z: number },
  part: 'behind' | 'before',
): void {
  const { width, height } = canvas
  const cosine = Math.cos(ring.tilt)
  const sine = Math.sin(ring.tilt)
  const reach = world.radius * ring.outer
  for (
    let y = Math.max(0, Math.floor(world.y - reach));
    y < Math.min(height, world.y + reach);
    y += 1
  ) {
    for (
      let x = Math.max(0, Math.floor(world.x - reach));
      x < Math.min(width, world.x + reach);
      x += 1
    ) {
      const px = (x - world.x) / world.radius
      const py = (y - world.y) / world.radius
      const across = px * cosine + py * sine
      const down = (py * cosine - px * sine) / ring.flat
      if (down > 0 !== (part === 'before')) continue
      const away = Math.sqrt(across * across + down * down)
      if (away < ring.inner || away > ring.outer) continue
      const t = (away - ring.inner) / (ring.outer - ring.inner)
      // The planet casts its shadow on the part of the ring that is behind it, seen from the sun.
      const behind = -(across * sun.x + down * ring.flat * sun.y)
      const aside = Math.abs(across * sun.y - down * ring.flat * sun.x)
      const shadow = behind > 0 ? smoothstep(1.02, 0.9, aside) * smoothstep(0.2, 0.6, behind) : 0
      cover(
        canvas,
        y * width + x,
        scale(ring.colour.at(t), 1.05 * (1 - shadow * 0.93)),
        ring.opacity(t) * 0.85,
      )
    }
  }
}

/** Paints thin bright gas on black, in two hues that blend. */
function paintGas(canvas: Canvas, random: Random, noise: Noise): void {
  const { width, height } = canvas
  const hue = random.between(0, 360)
  const one = oklch(0.42, 0.13, hue)
  const other = oklch(0.36, 0.13, hue + random.between(50, 130))
  const offset = random.between(0, 40)
  const strength = random.between(0.25, 0.9)
  const density = createField(canvas, 6, (x, y) => {
    const u = x / height
    const v = y / height
    const warp = noise.fbm(u * 1.1 + offset, v * 1.1, 3) * 1.5
    return noise.fbm(u * 1.4 + warp, v * 1.4 + offset + warp, 5)
  })
  const blend = createField(
    canvas,
    8,
    (x, y) => 0.5 + noise.fbm((x / height) * 0.9 + 30, (y / height) * 0.9 + offset, 3),
  )
  const densities = new Float32Array(width)
  const blends = new Float32Array(width)
  fillRows(canvas, () => night)
  for (let y = 0; y < height; y += 1) {
    density.row(densities, y)
    blend.row(blends, y)
    for (let x = 0; x < width; x += 1) {
      const thick = smoothstep(-0.05, 0.5, densities[x] ?? 0)
      if (thick <= 0) continue
      const t = clamp(blends[x] ?? 0)
      const bright = thick * Math.sqrt(thick) * strength
      shine(canvas, y * width + x, one, bright * (1 - t))
      shine(canvas, y * width + x, other, bright * t)
    }
  }
}
