/** What stands in the snow: firs that carry it, and a cabin with light in its windows. */
import type { Canvas } from '../canvas/canvas.ts'
import type { Colour } from '../canvas/colour.ts'
import { scale } from '../canvas/colour.ts'
import { paintGlow } from '../canvas/marks.ts'
import { fillOutline } from '../canvas/path.ts'
import type { Random } from '../canvas/random.ts'

/** The shadow of a fir, away from where the sun is. */
export function castShadow(
  canvas: Canvas,
  foot: { x: number; y: number },
  tall: number,
  sunX: number,
): void {
  const away = ((foot.x - sunX) / canvas.width) * tall * 0.9
  const near = tall * 0.42
  const half = tall * 0.13
  const shadow = [foot.x - half, foot.y, foot.x + half, foot.y, foot.x + away, foot.y + near]
  fillOutline(canvas, shadow, [0.1, 0.16, 0.34], 0.28)
}

/** A fir whose every tier carries snow on its upper side. */
export function paintFir(
  canvas: Canvas,
  random: Random,
  tree: { x: number; y: number; tall: number; fir: Colour; snow: Colour },
): void {
  const { x, y, tall } = tree
  const tiers = Math.max(4, Math.round(5 + tall / 40))
  for (let i = tiers; i >= 1; i -= 1) {
    const down = i / tiers
    const half = tall * 0.24 * down
    const top = y - tall * (1.02 - down * 0.86)
    const bottom = top + (tall / tiers) * 1.7
    const lean = random.between(-0.06, 0.06) * half
    const left = x - half * random.between(0.85, 1.1)
    const right = x + half * random.between(0.85, 1.1)
    fillOutline(
      canvas,
      [
        x + lean,
        top,
        right,
        bottom,
        x + half * 0.3,
        bottom - half * 0.16,
        x,
        bottom + half * 0.04,
        x - half * 0.3,
        bottom - half * 0.16,
        left,
        bottom,
      ],
      scale(tree.fir, 0.75 + 0.4 * (1 - down)),
    )
    const sag = half * random.between(0.22, 0.36)
    fillOutline(
      canvas,
      [
        x + lean,
        top,
        right,
        bottom - 1,
        x + half * 0.45,
        bottom - sag * 1.6,
        x,
        bottom - sag * 2.2,
        x - half * 0.4,
        bottom - sag * 1.5,
        left,
        bottom - 1,
      ],
      tree.snow,
      0.82,
    )
  }
}

/** Three lit windows under a white roof. */
export function paintCabin(
  canvas: Canvas,
  random: Random,
  foot: { x: number; y: number; scale: number },
  wood: Colour,
  snow: Colour,
): void {
  const wide = foot.scale * 0.9
  const tall = foot.scale * 0.42
  const { x, y } = foot
  fillOutline(
    canvas,
    [x - wide / 2, y, x - wide / 2, y - tall, x + wide / 2, y - tall, x + wide / 2, y],
    scale(wood, 0.7),
  )
  fillOutline(
    canvas,
    [
      x - wide * 0.62,
      y - tall * 0.94,
      x - wide * 0.36,
      y - tall * 1.9,
      x + wide * 0.36,
      y - tall * 1.9,
      x + wide * 0.62,
      y - tall * 0.94,
    ],
    scale(snow, 0.55),
  )
  const chimney = x + wide * random.between(0.1, 0.25)
  fillOutline(
    canvas,
    [
      chimney,
      y - tall * 1.7,
      chimney,
      y - tall * 2.3,
      chimney + wide * 0.09,
      y - tall * 2.3,
      chimney + wide * 0.09,
      y - tall * 1.7,
    ],
    scale(wood, 0.6),
  )
  for (const at of [-0.28, 0.02, 0.26]) {
    const left = x + wide * at - wide * 0.06
    fillOutline(
      canvas,
      [
        left,
        y - tall * 0.72,
        left + wide * 0.13,
        y - tall * 0.72,
        left + wide * 0.13,
        y - tall * 0.34,
        left,
        y - tall * 0.34,
      ],
      [1.6, 0.95, 0.35],
    )
  }
  paintGlow(canvas, { x, y: y - tall * 0.5, radius: wide * 1.1 }, [1.2, 0.6, 0.2], 0.35)
}
