/** Lights out of focus. */
import type { Canvas } from '../canvas/canvas.ts'
import { createCanvas, develop, fillRows, shine } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, evenRamp, hex, lerp, oklch, relight, smoothstep } from '../canvas/colour.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Evening = { ground: readonly string[]; hues: readonly number[]; chroma: number }

const evenings: Record<MoodOf<'bokeh'>, Evening> = {
  warm: { ground: ['#120a0c', '#2c1518', '#4a2418'], hues: [45, 60, 75, 88, 30], chroma: 0.18 },
  cold: {
    ground: ['#060b18', '#0d1f38', '#16384e'],
    hues: [210, 235, 255, 190, 285],
    chroma: 0.12,
  },
  festive: {
    ground: ['#0c0a14', '#1c1428', '#2a1a2c'],
    hues: [25, 80, 145, 255, 330, 60],
    chroma: 0.17,
  },
}

export function paintBokeh({ seed, mood, width, height, phase }: Commission<'bokeh'>): Uint8Array {
  const random = createRandom(seed)
  const evening = evenings[mood]
  const light = relight(random, 10)
  const canvas = createCanvas(width, height)
  const ground = evenRamp(evening.ground.map((text) => light(hex(text))))
  fillRows(canvas, (v) => ground.at(v))
  const sides = random.pick([0, 0, 6, 8])
  const path = layOut(random)
  const lights = Array.from({ length: random.whole(90, 190) }, () => {
    const nearness = random.next() ** 2
    return { nearness, ...path(random), hue: random.pick(evening.hues), beat: random.next() }
  }).sort((a, b) => a.nearness - b.nearness)
  for (const { x, y, nearness, hue, beat } of lights) {
    const radius = height * lerp(0.006, 0.085, nearness) * random.between(0.8, 1.2)
    const colour = oklch(
      random.between(0.68, 0.86),
      evening.chroma * random.between(0.5, 1.2),
      hue + random.between(-9, 9),
    )
    const twinkle = 0.7 + 0.3 * Math.sin((phase + beat) * Math.PI * 2)
    paintLight(canvas, {
      x: x * width,
      y: y * height,
      radius,
      sides,
      colour,
      strength: lerp(0.75, 0.15, nearness) * random.between(0.4, 1.15) * twinkle,
    })
  }
  return develop(canvas, { vignette: 0.4 })
}

/** Where lights gather: anywhere, along a street, or in strings across. */
function layOut(random: Random): (random: Random) => { x: number; y: number } {
  const horizon = random.between(0.4, 0.65)
  const vanish = random.between(0.3, 0.7)
  const strings = Array.from({ length: random.whole(3, 6) }, () => ({
    y: random.between(0.05, 0.8),
    sag: random.between(0.05, 0.25),
  }))
  switch (random.pick(['anywhere', 'street', 'strings'] as const)) {
    case 'anywhere':
      return (draw) => ({
        x: draw.next(),
        y: lerp(draw.next(), 0.5 + draw.between(-0.25, 0.25), 0.5),
      })
    case 'street':
      return (draw) => {
        const far = draw.next()
        const side = draw.chance(0.5) ? 1 : -1
        return {
          x: vanish + side * far * draw.between(0.15, 0.8),
          y: horizon + far * draw.between(-0.4, 0.42),
        }
      }
    case 'strings':
      return (draw) => {
        const string = draw.pick(strings)
        const x = draw.next()
        return { x, y: string.y + string.sag * 4 * x * (1 - x) + draw.between(-0.02, 0.02) }
      }
  }
}

/** A disc with a brighter rim, as a lens draws it; a lens with blades draws corners. */
function paintLight(
  canvas: Canvas,
  lamp: { x: number; y: number; radius: number; sides: number; colour: Colour; strength: number },
): void {
  const { radius, sides } = lamp
  const top = Math.max(0, Math.floor(lamp.y - radius - 1))
  const bottom = Math.min(canvas.height - 1, Math.ceil(lamp.y + radius + 1))
  const left = Math.max(0, Math.floor(lamp.x - radius - 1))
  const right = Math.min(canvas.width - 1, Math.ceil(lamp.x + radius + 1))
  const slice = sides > 0 ? (Math.PI * 2) / sides : 0
  const apothem = Math.cos(slice / 2)
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      const dx = x - lamp.x
      const dy = y - lamp.y
      let away = Math.sqrt(dx * dx + dy * dy)
      if (sides > 0) {
        const turn = Math.atan2(dy, dx) / slice
        away *= Math.cos((turn - Math.round(turn)) * slice) / apothem / 1.04
      }
      const inside = clamp((radius - away) / Math.max(1.2, radius * 0.05))
      if (inside <= 0) continue
      const rim = 0.62 + 0.5 * smoothstep(0.7, 0.97, away / radius)
      shine(canvas, y * canvas.width + x, lamp.colour, lamp.strength * inside * rim)
    }
  }
}
