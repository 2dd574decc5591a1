/** Sums over rectangles of a picture (summed-area table): each sum takes four reads. */

export type Area = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export class AreaSums {
  /** The sum of all pixels above and to the left of each corner. */
  readonly #sums: Int32Array
  readonly #stride: number

  constructor(width: number, height: number, valueOf: (pixel: number) => number) {
    const stride = width + 1
    const sums = new Int32Array(stride * (height + 1))
    for (let y = 1, pixel = 0; y <= height; y += 1) {
      let row = 0
      for (let x = 1; x <= width; x += 1, pixel += 1) {
        row += valueOf(pixel)
        sums[y * stride + x] = (sums[(y - 1) * stride + x] ?? 0) + row
      }
    }
    this.#sums = sums
    this.#stride = stride
  }

  /** Returns the averages over the cells of a grid on an area, row by row. */
  averages(cells: number, { left, top, width, height }: Area): number[] {
    const across = bordersOf(cells, left, width)
    const down = bordersOf(cells, top, height)
    const averages: number[] = []
    for (let row = 0; row < cells; row += 1)
      for (let column = 0; column < cells; column += 1) {
        const [x, right] = [across[column] ?? 0, across[column + 1] ?? 0]
        const [y, bottom] = [down[row] ?? 0, down[row + 1] ?? 0]
        const sum = this.#at(right, bottom) - this.#at(x, bottom) - this.#at(right, y)
        averages.push((sum + this.#at(x, y)) / ((right - x) * (bottom - y)))
      }
    return averages
  }

  #at(x: number, y: number): number {
    return this.#sums[y * this.#stride + x] ?? 0
  }
}

function bordersOf(cells: number, from: number, size: number): number[] {
  return Array.from({ length: cells + 1 }, (_, cell) => from + Math.ceil((cell * size) / cells))
}
