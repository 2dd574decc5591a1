/** Paints the sky above the horizon: gradient, sun or moon with its glow, lit clouds, stars. */
import type { Canvas } from './canvas.ts'
import { coverMixed, fillRows, shine } from './canvas.ts'
import type { Colour, Stop } from './colour.ts'
import { clamp, createRamp, smoothstep } from './colour.ts'
import { createField } from './field.ts'
import type { Noise } from './noise.ts'
import type { Random } from './random.ts'

/** Positions are fractions of the picture: x of its width, y and radius of its height. */
export type Sun = {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly colour: Colour
  /** Colour of the glow, if it differs from `colour`. */
  readonly halo?: Colour
  /** Strength of the glow; 0 for none. */
  readonly glow: number
  /** Distance that the glow reaches, as a fraction of the height. */
  readonly reach: number
}

export type Clouds = {
  readonly lit: Colour
  readonly shaded: Colour
  /** 0 is clear, 1 is overcast. */
  readonly amount: number
  /** Ratio of length to height; large for streaks. */
  readonly stretch: number
  /** Size of a cloud, as a fraction of the height. */
  readonly size: number
  readonly opacity?: number
}

/** Paints a gradient down to the horizon. Below it, the last colour continues. */
export function paintSky(canvas: Canvas, stops: readonly Stop[], horizon = 1): void {
  const ramp = createRamp(stops)
  fillRows(canvas, (v) => ramp.at(v / horizon))
}

export function paintSun(canvas: Canvas, sun: Sun): void {
  const { width, height } = canvas
  const centreX = sun.x * width
  const centreY = sun.y * height
  const radius = sun.radius * height
  const reach = sun.reach * height
  // Beyond this distance the glow is too weak for a byte to represent.
  const far = Math.min(reach * 5, width + height)
  const veils = glowByDistance(sun.glow, radius, reach, far)
  const top = Math.max(0, Math.floor(centreY - far))
  const bottom = Math.min(height, Math.ceil(centreY + far))
  for (let y = top; y < bottom; y += 1) {
    const dy = (y - centreY) ** 2
    for (let x = 0; x < width; x += 1) {
      const distance = Math.sqrt((x - centreX) ** 2 + dy)
      if (distance >= far) continue
      const disc = distance < radius + 1 ? clamp(radius + 0.5 - distance) : 0
      shine(canvas, y * width + x, sun.halo ?? sun.colour, veils[distance | 0] ?? 0)
      if (disc > 0) shine(canvas, y * width + x, sun.colour, disc)
    }
  }
}

/** Returns the strength of a glow for each pixel of distance: a bright core and a wide faint edge. */
function glowByDistance(glow: number, radius: number, reach: number, far: number): Float32Array {
  return Float32Array.from({ length: Math.ceil(far) }, (_, distance) => {
    const beyond = Math.max(0, distance - radius)
    const skirt = (1 - beyond / far) ** 2 / (1 + (beyond / reach) ** 2 * 6)
    return glow * (Math.exp((-beyond * 2.2) / reach) * 0.75 + 0.25 * skirt)
  })
}

export function paintClouds(
  canvas: Canvas,
  noise: Noise,
  clouds: Clouds,
  place: { readonly horizon: number; readonly sun?: { x: number; y: number } },
): void {
  const { width, height } = canvas
  const bottom = Math.min(height, Math.ceil(place.horizon * height))
  const aspect = width / height
  const density = (u: number, v: number) => {
    // Clouds near the horizon are farther away, so they are lower and closer together.
    const depth = 1 / (place.horizon - v + 0.22)
    const x = ((u - 0.5) * aspect * depth) / (clouds.size * clouds.stretch)
    const y = (depth * 0.55) / clouds.size
    return noise.fbm(x + 31, y, 5, 0.52)
  }
  const threshold = 0.34 - clouds.amount * 0.6
  const sun = place.sun ?? { x: 0.5, y: 0 }
  const amounts = createField(canvas, 4, (x, y) => density(x / width, y / height))
  const lights = createField(canvas, 4, (x, y) => {
    const u = x / width
    const v = y / height
    const away = Math.hypot(sun.x - u, sun.y - v) + 0.05
    const du = ((sun.x - u) / away) * 0.03
    const dv = ((sun.y - v) / away) * 0.025
    return density(u, v) - density(u + du, v + dv)
  })
  const thicknesses = new Float32Array(width)
  const brightnesses = new Float32Array(width)
  for (let y = 0; y < bottom; y += 1) {
    const nearHorizon = smoothstep(place.horizon, place.horizon - 0.12, y / height)
    const most = (clouds.opacity ?? 0.9) * (0.25 + 0.75 * nearHorizon)
    amounts.row(thicknesses, y)
    lights.row(brightnesses, y)
    for (let x = 0; x < width; x += 1) {
      const thickness = smoothstep(threshold, threshold + 0.34, thicknesses[x] ?? 0)
      if (thickness <= 0.01) continue
      const lit = clamp(0.5 + (brightnesses[x] ?? 0) * 2.4 - thickness * 0.22)
      coverMixed(canvas, y * width + x, clouds.shaded, clouds.lit, lit, thickness * most)
    }
  }
}

/** Paints stars. `amount` is the number that a square picture of any size would have. */
export function paintStars(
  canvas: Canvas,
  given: Random,
  stars: { amount: number; horizon: number; brightness?: number },
): void {
  const { width, height } = canvas
  // The number of stars depends on the shape. A separate stream keeps later drawing unchanged.
  const random = given.fork('stars')
  const count = Math.round((stars.amount * width * height) / Math.max(width, height) ** 2)
  const unit = Math.hypot(width, height) / 1500
  for (let i = 0; i < count; i += 1) {
    const x = random.next() * width
    const y = random.next() * height * stars.horizon
    const size = random.next() ** 40
    const warm = random.between(-0.15, 0.15)
    const strength = (0.08 + 0.55 * random.next() ** 4 + size * 1.2) * (stars.brightness ?? 1)
    const low = smoothstep(stars.horizon, stars.horizon * 0.75, y / height)
    paintStar(canvas, { x, y, radius: (0.5 + size * 1.1) * unit, strength: strength * low, warm })
  }
}

function paintStar(
  canvas: Canvas,
  star: { x: number; y: number; radius: number; strength: number; warm: number },
): void {
  const reach = Math.ceil(star.radius * 3)
  const colour: Colour = [1 + star.warm, 0.98, 1 - star.warm]
  for (let y = Math.floor(star.y) - reach; y <= star.y + reach; y += 1) {
    if (y < 0 || y >= canvas.height) continue
    for (let x = Math.floor(star.x) - reach; x <= star.x + reach; x += 1) {
      if (x < 0 || x >= canvas.width) continue
      const near = ((x - star.x) ** 2 + (y - star.y) ** 2) / star.radius ** 2
      shine(canvas, y * canvas.width + x, colour, star.strength * Math.exp(-near))
    }
  }
}
