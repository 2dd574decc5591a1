/** A branch against the sky, in blossom, in red leaf or under snow. */
import type { Canvas } from '../canvas/canvas.ts'
import { createCanvas, develop } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { evenStops, hex, mix, relight, scale } from '../canvas/colour.ts'
import { drawLine, leaf, oval, paintDisc } from '../canvas/marks.ts'
import { createNoise } from '../canvas/noise.ts'
import { fillOutline } from '../canvas/path.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import { paintClouds, paintSky, paintSun } from '../canvas/sky.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Season = {
  skies: readonly (readonly string[])[]
  bark: string
  blooms: readonly string[]
  moon: Colour
}

const seasons: Record<MoodOf<'blossom'>, Season> = {
  spring: {
    skies: [
      ['#7fb4d8', '#bcdcea', '#f2e8e4'],
      ['#f0d8d4', '#f6e6dc', '#fbf2e6'],
      ['#2c3a68', '#6a6a9c', '#d8a4b0'],
    ],
    bark: '#3a2622',
    blooms: ['#f6c4d0', '#fbe2e6', '#ec9cb4', '#fdf0f0'],
    moon: [1, 0.95, 0.85],
  },
  autumn: {
    skies: [
      ['#e9dcb8', '#f4e6c6', '#f2cf9c'],
      ['#9cc0c8', '#dce4d4', '#f6e2b8'],
      ['#3c2a3c', '#7c4a48', '#e0905c'],
    ],
    bark: '#2a1a14',
    blooms: ['#c8341c', '#e0602a', '#a8201c', '#e89a34'],
    moon: [1.1, 0.85, 0.6],
  },
  winter: {
    skies: [
      ['#9fb0c0', '#c4d0d8', '#e6eaec'],
      ['#16233f', '#3a5078', '#8a9ab8'],
    ],
    bark: '#241c20',
    blooms: ['#c8203c', '#e0485c', '#f4f6f8', '#f4f6f8'],
    moon: [0.95, 0.98, 1],
  },
}

export function paintBlossom({
  seed,
  mood,
  width,
  height,
  phase,
}: Commission<'blossom'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const season = seasons[mood]
  const light = relight(random, 10)
  const canvas = createCanvas(width, height)
  const sky = random.pick(season.skies).map((text) => light(hex(text)))
  paintSky(canvas, evenStops(sky))
  if (random.chance(0.5))
    paintSun(canvas, {
      x: random.between(0.2, 0.8),
      y: random.between(0.2, 0.5),
      radius: random.between(0.07, 0.14),
      colour: scale(season.moon, 0.25),
      halo: season.moon,
      glow: 0.14,
      reach: 0.2,
    })
  paintClouds(
    canvas,
    noise,
    {
      lit: mix(sky[2] ?? [1, 1, 1], [1, 1, 1], 0.4),
      shaded: sky[1] ?? [1, 1, 1],
      amount: 0.3,
      stretch: 3,
      size: 0.8,
      opacity: 0.6,
    },
    { horizon: 1.3 },
  )
  const blooms = season.blooms.map((text) => light(hex(text)))
  const tree: Tree = {
    canvas,
    random,
    bark: light(hex(season.bark)),
    tips: [],
    unit: height / 800,
    snow: mood === 'winter',
  }
  // A blurred branch behind gives the sharp one its distance.
  const side = random.chance(0.5) ? 1 : -1
  const roots = random.whole(2, 3)
  for (let i = 0; i < roots; i += 1) {
    const from = { x: side > 0 ? -20 : width + 20, y: height * random.between(0.15, 0.95) }
    const angle = (side > 0 ? 0 : Math.PI) + side * random.between(-0.6, 0.15)
    grow(tree, {
      ...from,
      angle,
      long: (width * 0.6 + height * 0.4) * random.between(0.3, 0.44),
      thick: random.between(9, 15) * tree.unit,
      level: 0,
    })
  }
  const order = random.shuffle(tree.tips)
  for (const tip of order) paintBloom(canvas, random, mood, tip, blooms, tree.unit)
  letFall(canvas, random, { mood, blooms, unit: tree.unit, phase })
  return develop(canvas, { vignette: 0.2 })
}

type Tree = {
  canvas: Canvas
  random: Random
  bark: Colour
  tips: { x: number; y: number; angle: number }[]
  unit: number
  snow: boolean
}
type Shoot = { x: number; y: number; angle: number; long: number; thick: number; level: number }

function grow(tree: Tree, shoot: Shoot): void {
  const { canvas, random } = tree
  const points = [shoot.x, shoot.y]
  let { x, y, angle } = shoot
  const steps = 12
  const twist = random.between(-0.05, 0.05)
  for (let i = 1; i <= steps; i += 1) {
    angle += twist + random.between(-0.13, 0.13)
    x += (Math.cos(angle) * shoot.long) / steps
    y += (Math.sin(angle) * shoot.long) / steps
    points.push(x, y)
    if (shoot.level > 0 || i > 5)
      for (let j = shoot.level; j >= 0; j -= 1)
        if (random.chance(0.2))
          tree.tips.push({
            x: x + random.between(-7, 7) * tree.unit,
            y: y + random.between(-7, 7) * tree.unit,
            angle,
          })
    if (shoot.level < 3 && i > 2 && random.chance(shoot.level === 0 ? 0.42 : 0.3)) {
      const turn = (random.chance(0.5) ? 1 : -1) * random.between(0.4, 1)
      grow(tree, {
        x,
        y,
        angle: angle + turn,
        long: shoot.long * random.between(0.4, 0.68),
        thick: shoot.thick * (1 - i / steps / 1.6) * 0.62,
        level: shoot.level + 1,
      })
    }
  }
  const radius = (along: number) => Math.max(0.6, (shoot.thick / 2) * (1 - along * 0.68))
  drawLine(canvas, points, radius, tree.bark)
  const lifted = points.map((value, i) => (i % 2 === 1 ? value - shoot.thick * 0.2 : value))
  if (tree.snow && shoot.thick > 2)
    drawLine(canvas, lifted, (along) => radius(along) * 0.62, [0.9, 0.93, 0.97])
  else
    drawLine(
      canvas,
      lifted,
      (along) => radius(along) * 0.3,
      mix(tree.bark, [1, 0.9, 0.8], 0.22),
      0.7,
    )
  if (shoot.level < 3)
    grow(tree, {
      x,
      y,
      angle,
      long: shoot.long * 0.62,
      thick: shoot.thick * 0.36,
      level: shoot.level + 1,
    })
}

function paintBloom(
  canvas: Canvas,
  random: Random,
  mood: MoodOf<'blossom'>,
  tip: { x: number; y: number; angle: number },
  blooms: readonly Colour[],
  unit: number,
): void {
  const size = unit * random.between(5.5, 11.5)
  const tone = scale(random.pick(blooms), random.between(0.85, 1.06))
  const turn = random.between(0, Math.PI * 2)
  if (mood === 'autumn') {
    // A maple leaf: five fingers from one stalk.
    for (let i = -2; i <= 2; i += 1) {
      const long = size * 1.7 * (1 - Math.abs(i) * 0.17)
      fillOutline(
        canvas,
        leaf(tip.x, tip.y, { long, wide: long * 0.19, angle: turn + i * 0.6 }),
        tone,
        0.95,
      )
    }
    return
  }
  for (let i = 0; i < 5; i += 1) {
    const angle = turn + (i / 5) * Math.PI * 2
    const spot = {
      x: tip.x + Math.cos(angle) * size * 0.62,
      y: tip.y + Math.sin(angle) * size * 0.62,
    }
    fillOutline(
      canvas,
      oval(spot.x, spot.y, { long: size * 0.6, wide: size * 0.46, angle, points: 12 }),
      scale(tone, i % 2 === 0 ? 1 : 0.94),
      0.95,
    )
  }
  paintDisc(
    canvas,
    { x: tip.x, y: tip.y, radius: size * 0.24 },
    mix(tone, mood === 'winter' ? [0.9, 0.7, 0.2] : [0.75, 0.12, 0.25], 0.5),
  )
}

/** Petals, leaves or flakes on their way down. */
function letFall(
  canvas: Canvas,
  random: Random,
  air: { mood: MoodOf<'blossom'>; blooms: readonly Colour[]; unit: number; phase: number },
): void {
  const { width, height } = canvas
  for (let i = air.mood === 'winter' ? 120 : 46; i > 0; i -= 1) {
    const y = ((random.next() + air.phase) % 1) * height
    const x = (random.next() + Math.sin((air.phase + random.next()) * Math.PI * 2) * 0.015) * width
    if (air.mood === 'winter') {
      paintDisc(canvas, { x, y, radius: random.between(1, 3.4) * air.unit }, [1, 1, 1], {
        opacity: 0.8,
        softness: 2,
      })
      continue
    }
    const size = air.unit * random.between(4, 8)
    const angle = random.between(0, Math.PI) + air.phase * Math.PI * 2
    fillOutline(
      canvas,
      oval(x, y, { long: size, wide: size * random.between(0.25, 0.6), angle, points: 12 }),
      random.pick(air.blooms),
      0.85,
    )
  }
}
