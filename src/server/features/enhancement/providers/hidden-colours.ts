/**
 * Spreads edge colours into transparent areas. Fully transparent pixels are often black, and the network
 * would mix them into the edge next to them. So colours are spread as far as the network looks.
 */
import type { Pixels } from './tiles.ts'

const alpha = 3
const colours = 3

/** Changes the colours of transparent pixels, up to `reach` pixels away from visible ones. */
export function spreadColours({ data, width, height }: Pixels, reach: number): void {
  const known = new Uint8Array(width * height)
  for (let pixel = 0; pixel < known.length; pixel++)
    known[pixel] = (data[pixel * 4 + alpha] ?? 0) > 0 ? 1 : 0

  /** Sets the mean colour of the coloured neighbours; returns false if there are none. */
  const takeColour = (pixel: number): boolean => {
    const x = pixel % width
    const [left, right] = [x > 0 ? pixel - 1 : -1, x < width - 1 ? pixel + 1 : -1]
    const around = [left, right, pixel - width, pixel + width].filter(
      (neighbour) => known[neighbour],
    )
    for (let colour = 0; colour < colours && around.length > 0; colour++) {
      const sum = around.reduce(
        (total, neighbour) => total + (data[neighbour * 4 + colour] ?? 0),
        0,
      )
      data[pixel * 4 + colour] = Math.round(sum / around.length)
    }
    return around.length > 0
  }

  for (let round = 0; round < reach; round++) {
    const edge: number[] = []
    for (let pixel = 0; pixel < known.length; pixel++) {
      const isBesideKnown =
        known[pixel - 1] || known[pixel + 1] || known[pixel - width] || known[pixel + width]
      if (!known[pixel] && isBesideKnown && takeColour(pixel)) edge.push(pixel)
    }
    if (edge.length === 0) return
    for (const pixel of edge) known[pixel] = 1
  }
}
