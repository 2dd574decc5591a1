/** Pressed plants: white on blueprint blue, ink on old paper, or pale against the dark. */
import type { Canvas } from '../canvas/canvas.ts'
import { cover, coverMixed, createCanvas, develop, dim } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { clamp, hex, mix, relight } from '../canvas/colour.ts'
import { drawLine, leaf, paintDisc } from '../canvas/marks.ts'
import type { Noise } from '../canvas/noise.ts'
import { createNoise } from '../canvas/noise.ts'
import { brushOutline, fillOutline } from '../canvas/path.ts'
import type { Random } from '../canvas/random.ts'
import { createRandom } from '../canvas/random.ts'
import type { Commission, MoodOf } from '../repertoire.ts'

type Sheet = { centre: string; edge: string; inks: readonly string[]; stains: number }

const sheets: Record<MoodOf<'botanical'>, Sheet> = {
  cyanotype: {
    centre: '#1d5a92',
    edge: '#0b2a50',
    inks: ['#e6eff2', '#cfdfe8', '#f4f7f5'],
    stains: 0.3,
  },
  herbarium: {
    centre: '#f1e6cc',
    edge: '#d8c49c',
    inks: ['#4a5a2c', '#6a6a34', '#7a4a2c', '#38482e'],
    stains: 0.16,
  },
  night: {
    centre: '#1c2a2c',
    edge: '#0a1012',
    inks: ['#a8c49a', '#d8d2a4', '#86b0a4', '#d9a48c'],
    stains: 0.25,
  },
}

type Pen = { canvas: Canvas; random: Random; ink: Colour; faint: Colour }
type Stem = { x: number; y: number; angle: number; long: number; bend: number }

export function paintBotanical({ seed, mood, width, height }: Commission<'botanical'>): Uint8Array {
  const random = createRandom(seed)
  const noise = createNoise(seed)
  const sheet = sheets[mood]
  const light = relight(random, 12)
  const canvas = createCanvas(width, height)
  paintSheet(canvas, noise, light(hex(sheet.centre)), light(hex(sheet.edge)), sheet.stains)
  const kinds = random.shuffle([fern, branch, umbel, grass, daisy])
  const tall = height * random.between(0.76, 0.9)
  const stems = random.whole(3, width > height ? 6 : 4)
  for (let i = 0; i < stems; i += 1) {
    const ink = light(hex(random.pick(sheet.inks)))
    const pen: Pen = { canvas, random, ink, faint: mix(ink, light(hex(sheet.centre)), 0.35) }
    const place = (i + 0.5) / stems
    const lean = (place - 0.5) * 0.5
    const draw = kinds[i % 3] ?? fern
    draw(pen, {
      x: width * (0.5 + (place - 0.5) * (width > height ? 0.8 : 0.62)),
      y: height * random.between(0.93, 0.97),
      angle: -Math.PI / 2 + lean + random.between(-0.08, 0.08),
      long: tall * random.between(0.72, 1) * (1 - Math.abs(place - 0.5) * 0.35),
      bend: lean * 0.5 + random.between(-0.25, 0.25),
    })
  }
  return develop(canvas, { vignette: 0.15, grain: 2 })
}

function paintSheet(
  canvas: Canvas,
  noise: Noise,
  centre: Colour,
  edge: Colour,
  stains: number,
): void {
  const { width, height } = canvas
  const broad = new Float32Array(width)
  const fine = new Float32Array(width)
  const fibre = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    const down = (y / height - 0.46) ** 2
    noise.row(broad, y * 0.006, 0, 0.006)
    noise.row(fine, y * 0.021, 0, 0.021)
    noise.row(fibre, y * 0.4, 0, 0.4)
    for (let x = 0; x < width; x += 1) {
      const stain = (broad[x] ?? 0) + 0.5 * (fine[x] ?? 0)
      const dark = clamp(((x / width - 0.5) ** 2 + down) * 2.3 + stain * stains)
      coverMixed(canvas, y * width + x, centre, edge, dark, 1)
      dim(canvas, y * width + x, 1 + 0.03 * (fibre[x] ?? 0))
    }
  }
}

/** A point of a stem and the way it grows there. */
function along(stem: Stem, t: number): { x: number; y: number; angle: number } {
  const angle = stem.angle + stem.bend * t
  const middle = stem.angle + (stem.bend * t) / 2
  return {
    x: stem.x + Math.cos(middle) * stem.long * t,
    y: stem.y + Math.sin(middle) * stem.long * t,
    angle,
  }
}

function drawStem({ canvas, ink }: Pen, stem: Stem, thick: number): void {
  const points = Array.from({ length: 25 }, (_, i) => along(stem, i / 24)).flatMap(({ x, y }) => [
    x,
    y,
  ])
  drawLine(canvas, points, (t) => thick * (1 - t * 0.75), ink)
}

function fern(pen: Pen, stem: Stem): void {
  drawStem(pen, stem, stem.long * 0.0042)
  const pairs = pen.random.whole(15, 20)
  const wide = pen.random.between(0.26, 0.36)
  for (let i = 1; i < pairs; i += 1) {
    const t = 0.1 + (0.9 * i) / pairs
    const at = along(stem, t)
    const reach = stem.long * wide * Math.min(1, t * 3.4) * (1.03 - t) ** 0.85
    for (const side of [-1, 1]) {
      const angle = at.angle + side * (1.2 - t * 0.4)
      const frond: Stem = { x: at.x, y: at.y, angle, long: reach, bend: -side * 0.3 }
      drawStem(pen, frond, reach * 0.006 + 0.5)
      const leaflets = Math.max(4, Math.round(reach / 13))
      for (let j = 1; j <= leaflets; j += 1) {
        const on = along(frond, j / leaflets)
        const long = (stem.long / pairs) * 0.52 * (1.1 - (j / leaflets) * 0.8)
        for (const wing of [-1, 1])
          fillOutline(
            pen.canvas,
            leaf(on.x, on.y, { long, wide: long * 0.2, angle: on.angle + wing * 0.95 }),
            pen.ink,
            0.93,
          )
      }
    }
  }
}

/** Broad leaves with their veins, left and right by turns. */
function branch(pen: Pen, stem: Stem): void {
  const { canvas, random } = pen
  drawStem(pen, stem, stem.long * 0.005)
  const count = random.whole(7, 12)
  const slim = random.between(0.16, 0.34)
  for (let i = 1; i <= count; i += 1) {
    const t = 0.12 + (0.86 * i) / count
    const at = along(stem, t)
    const side = i % 2 === 0 ? 1 : -1
    const long = stem.long * random.between(0.2, 0.26) * (1.12 - t * 0.55)
    const angle = i === count ? at.angle : at.angle + side * random.between(0.6, 0.95)
    const bend = side * random.between(-0.14, 0.05)
    const outline = leaf(at.x, at.y, { long, wide: long * slim, angle, bend })
    brushOutline(canvas, outline, (pixel, coverage) =>
      cover(canvas, pixel, pen.ink, coverage * 0.88),
    )
    const rib: Stem = { x: at.x, y: at.y, angle, long: long * 0.94, bend: bend * 1.8 }
    drawStem({ ...pen, ink: pen.faint }, rib, 1.3)
    for (let vein = 1; vein < 7; vein += 1) {
      const on = along(rib, vein / 7.5)
      for (const wing of [-1, 1])
        drawStem(
          { ...pen, ink: pen.faint },
          {
            x: on.x,
            y: on.y,
            angle: on.angle + wing * 0.75,
            long: long * slim * 0.85 * Math.sin((Math.PI * (vein + 1)) / 9),
            bend: -wing * 0.25,
          },
          0.7,
        )
    }
  }
}

/** Rays from one point, each with rays of its own: cow parsley. */
function umbel(pen: Pen, stem: Stem): void {
  const { canvas, random } = pen
  drawStem(pen, stem, stem.long * 0.0045)
  for (const [t, size] of [
    [1, 1],
    [0.62, 0.6],
    [0.4, 0.45],
  ] as const) {
    const at = along(stem, t)
    const side = random.chance(0.5) ? 1 : -1
    const stalk: Stem =
      t === 1
        ? { ...at, long: 0.1, bend: 0 }
        : { ...at, angle: at.angle + side * 0.5, long: stem.long * 0.26, bend: -side * 0.3 }
    if (t < 1) drawStem(pen, stalk, stem.long * 0.003)
    const top = along(stalk, 1)
    const rays = random.whole(11, 16)
    for (let i = 0; i < rays; i += 1) {
      const spread = (i / (rays - 1) - 0.5) * 2
      const ray: Stem = {
        x: top.x,
        y: top.y,
        angle: top.angle + spread * 1.15,
        long: stem.long * 0.2 * size * (1 - spread * spread * 0.2),
        bend: -spread * 0.2,
      }
      drawStem(pen, ray, 1.4 * size + 0.3)
      const head = along(ray, 1)
      for (let j = 0; j < 9; j += 1) {
        const turn = (j / 8 - 0.5) * 2.4
        const small: Stem = {
          x: head.x,
          y: head.y,
          angle: head.angle + turn,
          long: stem.long * 0.032 * size,
          bend: 0,
        }
        drawStem(pen, small, 0.6)
        const dot = along(small, 1)
        paintDisc(
          canvas,
          { x: dot.x, y: dot.y, radius: random.between(1.4, 2.8) * (0.6 + size * 0.5) },
          pen.ink,
          { opacity: 0.9 },
        )
      }
    }
  }
}

/** Blades from one tuft, and ears of seed over them. */
function grass(pen: Pen, stem: Stem): void {
  const { canvas, random } = pen
  for (let i = 0; i < 11; i += 1) {
    const spread = random.between(-0.5, 0.5)
    const blade: Stem = {
      x: stem.x + spread * 30,
      y: stem.y,
      angle: stem.angle + spread * 0.6,
      long: stem.long * random.between(0.4, 0.95),
      bend: spread * 1.3,
    }
    drawStem(pen, blade, random.between(1.2, 3.6))
    if (i > 5) continue
    for (let j = 0; j < 16; j += 1) {
      const on = along(blade, 0.74 + j * 0.017)
      const side = j % 2 === 0 ? 1 : -1
      fillOutline(
        canvas,
        leaf(on.x, on.y, { long: 20, wide: 3.2, angle: on.angle + side * 0.45 }),
        pen.ink,
        0.9,
      )
    }
  }
}

/** Narrow petals around a dotted middle, and a pair of leaves below. */
function daisy(pen: Pen, stem: Stem): void {
  const { canvas, random } = pen
  drawStem(pen, stem, stem.long * 0.004)
  const at = along(stem, 1)
  const size = stem.long * random.between(0.13, 0.18)
  const petals = random.whole(13, 21)
  const slim = random.between(0.1, 0.16)
  for (let i = 0; i < petals; i += 1) {
    const angle = (i / petals) * Math.PI * 2 + random.between(-0.06, 0.06)
    const long = size * random.between(0.85, 1.05)
    const bend = random.between(-0.12, 0.12)
    fillOutline(canvas, leaf(at.x, at.y, { long, wide: size * slim, angle, bend }), pen.ink, 0.72)
    drawStem(
      { ...pen, ink: pen.faint },
      { x: at.x, y: at.y, angle, long: long * 0.85, bend: bend * 1.6 },
      0.6,
    )
  }
  for (let i = 0; i < 90; i += 1) {
    const away = size * 0.26 * Math.sqrt(i / 90)
    const spot = { x: at.x + Math.cos(i * 2.39996) * away, y: at.y + Math.sin(i * 2.39996) * away }
    paintDisc(canvas, { ...spot, radius: size * 0.02 + 0.4 }, i % 3 === 0 ? pen.faint : pen.ink)
  }
  for (const t of [0.22, 0.4, 0.58]) {
    const on = along(stem, t)
    const long = stem.long * 0.2 * (1.1 - t)
    for (const side of [-1, 1])
      fillOutline(
        canvas,
        leaf(on.x, on.y, {
          long,
          wide: long * 0.15,
          angle: on.angle + side * 0.75,
          bend: side * 0.2,
        }),
        pen.ink,
        0.85,
      )
  }
}
