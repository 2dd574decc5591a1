/** Averages over the squares of a grid that lies on a picture. */
export class Cells {
  readonly #sums: Float64Array
  readonly #counts: Uint32Array
  /** The cells of a column's and of a row's pixels. */
  readonly #across: Uint16Array
  readonly #down: Uint16Array

  constructor(cells: number, width: number, height: number) {
    this.#sums = new Float64Array(cells * cells)
    this.#counts = new Uint32Array(cells * cells)
    const places = (size: number, step: number) =>
      Uint16Array.from({ length: size }, (_, at) => Math.floor((at * cells) / size) * step)
    this.#across = places(width, 1)
    this.#down = places(height, cells)
  }

  add(x: number, y: number, value: number): void {
    const cell = (this.#down[y] ?? 0) + (this.#across[x] ?? 0)
    this.#sums[cell] = (this.#sums[cell] ?? 0) + value
    this.#counts[cell] = (this.#counts[cell] ?? 0) + 1
  }

  averages(): number[] {
    return Array.from(this.#sums, (sum, cell) => sum / (this.#counts[cell] ?? 1))
  }
}
