/** Chromatropes: the painted glass discs of the magic lantern. Two of them turn in opposite directions. */
import type { Canvas } from '../canvas/canvas.ts'
import { cover, coverMixed, createCanvas, develop, dim, fillRows } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { hex, relight, scale, smoothstep } from '../canvas/colour.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

/** Returns the mixture of two colours on a disc, from 0 to 1, by distance from the centre and angle. */
type Disc = (away: number, angle: number, edge: number) => number

const palettes = [
  ['#f2dfb6', '#c8512b', '#1f5a63', '#e7a63a'],
  ['#f6e8d0', '#a3243b', '#243b6b', '#e2933c'],
  ['#eef0e0', '#2f7d6b', '#7a2f5c', '#f0b648'],
  ['#fbe9c9', '#d9622b', '#3a2f6b', '#7fb0a8'],
  ['#f0e4cf', '#b8433a', '#3f6b3a', '#e8c04a'],
  ['#f4ead8', '#3c6ea0', '#b5473c', '#efc56a'],
  ['#f7e3d4', '#c23f6b', '#1f6f78', '#f2a65a'],
] as const

export function paintChromatrope({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'chromatrope'>): Uint8Array {
  const random = createRandom(seed)
  const light = relight(random, 20)
  const [a, b, c, d] = random.pick(palettes).map((text) => light(hex(text))) as [
    Colour,
    Colour,
    Colour,
    Colour,
  ]
  const arms = random.whole(7, 18)
  const discs = drawDiscs(random, mood, arms)
  const rings = drawRings(random)
  const dark = scale(light(hex('#14100c')), 0.6)
  const canvas = createCanvas(width, height)
  fillRows(canvas, () => dark)
  // One cycle turns the disc by the width of one arm, after which it looks the same.
  const turn = (phase * Math.PI * 2) / arms
  eachOnDisc(canvas, (pixel, away, angle) => {
    const edge = 0.045 / (away + 0.06)
    const first = discs[0](away, angle + turn, edge)
    const second = discs[1](away, angle - turn, edge)
    coverMixed(canvas, pixel, a, b, first, 1)
    coverMixed(canvas, pixel, c, d, first, second)
    cover(canvas, pixel, dark, rings(away))
    dim(canvas, pixel, 1.12 - away * 0.5)
    cover(canvas, pixel, dark, smoothstep(0.962, 0.968, away))
  })
  return develop(canvas, { vignette: 0.1 })
}

function drawDiscs(
  random: Random,
  mood: MoodOf<'chromatrope'>,
  arms: number,
): readonly [Disc, Disc] {
  switch (mood) {
    case 'spiral': {
      const twist = random.between(3.5, 9)
      const spiral =
        (way: number): Disc =>
        (away, angle, edge) =>
          wave(angle * arms + way * Math.log(away + 0.04) * twist, edge * (arms / 12))
      return [spiral(1), spiral(-1)]
    }
    case 'petals': {
      const lobes = random.between(0.12, 0.3)
      const twist = random.between(0.2, 1.2)
      const count = random.between(18, 32)
      const petals =
        (way: number): Disc =>
        (away, angle, edge) => {
          const bent = away + lobes * away * Math.cos(angle * arms + way * twist * away * 5)
          return wave(bent * count + way, edge)
        }
      return [petals(1), petals(-1)]
    }
    case 'lattice': {
      const twist = random.between(2, 5)
      const count = random.between(5, 11)
      return [
        (away, angle, edge) => wave(angle * arms + Math.sin(away * count * 2) * twist * 0.4, edge),
        (away, angle, edge) =>
          wave(away * count * Math.PI + Math.cos(angle * arms) * 0.9, edge * 0.6),
      ]
    }
    case 'star': {
      const points = random.between(0.2, 0.5)
      const twist = random.between(0, 2)
      const count = random.between(12, 26)
      const star =
        (way: number): Disc =>
        (away, angle, edge) => {
          const turns = (angle * arms) / (Math.PI * 2) + way * away * twist
          const tooth = Math.abs((turns - Math.floor(turns)) * 2 - 1)
          return wave(away * (1 - points * tooth) * count, edge)
        }
      return [star(1), star(-1)]
    }
  }
}

function wave(value: number, edge: number): number {
  return smoothstep(-edge, edge, Math.sin(value))
}

/** Draws the thin dark circles that hold the glass. Their radii are fractions of the disc. */
function drawRings(random: Random): (away: number) => number {
  const rings = Array.from({ length: random.whole(0, 4) }, () => random.between(0.12, 0.9))
  const hub = random.between(0.02, 0.06)
  return (away) => {
    let line = smoothstep(hub + 0.004, hub, away) * 0.9
    for (const ring of rings)
      line = Math.max(line, smoothstep(0.006, 0.003, Math.abs(away - ring)) * 0.75)
    return line
  }
}

function eachOnDisc(
  canvas: Canvas,
  paint: (pixel: number, away: number, angle: number) => void,
): void {
  const { width, height } = canvas
  const radius = Math.min(width, height) / 2
  for (let y = 0; y < height; y += 1) {
    const dy = (y + 0.5 - height / 2) / radius
    for (let x = 0; x < width; x += 1) {
      const dx = (x + 0.5 - width / 2) / radius
      const away = Math.sqrt(dx * dx + dy * dy)
      if (away < 1.02) paint(y * width + x, away, Math.atan2(dy, dx))
    }
  }
}
