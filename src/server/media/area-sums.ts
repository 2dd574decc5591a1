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

  constructor(width: number, height: number, values: Int16Array) {
    const stride = width + 1
    const sums = new Int32Array(stride * (height + 1))
    for (let y = 1, pixel = 0; y <= height; y += 1) {
      let row = 0
      for (let x = 1; x <= width; x += 1, pixel += 1) {
        row += values[pixel] ?? 0
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

  /** Returns the sums over equal parts of an area, row by row. A pixel on a border counts in part for each. */
  shares(parts: number, { left, top, width, height }: Area): number[] {
    const corners = Array.from({ length: parts + 1 }, (_, row) => {
      const y = top + (row * height) / parts
      return Array.from({ length: parts + 1 }, (_each, column) =>
        this.#inside(left + (column * width) / parts, y),
      )
    })
    const shares: number[] = []
    for (let row = 0; row < parts; row += 1)
      for (let column = 0; column < parts; column += 1) {
        const [above = [], below = []] = [corners[row], corners[row + 1]]
        const lower = (below[column + 1] ?? 0) - (below[column] ?? 0)
        shares.push(lower - (above[column + 1] ?? 0) + (above[column] ?? 0))
      }
    return shares
  }

  #at(x: number, y: number): number {
    return this.#sums[y * this.#stride + x] ?? 0
  }

  /** Returns the sum above and to the left of a point that may lie inside a pixel. */
  #inside(x: number, y: number): number {
    const [column, row] = [Math.floor(x), Math.floor(y)]
    const [across, down] = [x - column, y - row]
    const upper = between(this.#at(column, row), this.#at(column + 1, row), across)
    if (down === 0) return upper
    return between(
      upper,
      between(this.#at(column, row + 1), this.#at(column + 1, row + 1), across),
      down,
    )
  }
}

function between(from: number, to: number, part: number): number {
  return part === 0 ? from : from + (to - from) * part
}

function bordersOf(cells: number, from: number, size: number): number[] {
  return Array.from({ length: cells + 1 }, (_, cell) => from + Math.ceil((cell * size) / cells))
}
