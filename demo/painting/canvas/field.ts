/** Slowly changing values over a picture, computed on a coarse grid and interpolated. */
import type { Canvas } from './canvas.ts'

export type Field = {
  at(x: number, y: number): number
  /** Writes `at` for every x of one row, moved by `shift`. Much faster than calling `at` for each x. */
  row(into: Float32Array, y: number, shift?: number): void
}

/** Creates a field. `valueAt` gets pixel coordinates; `step` is the grid spacing in pixels. */
export function createField(
  { width, height }: Pick<Canvas, 'width' | 'height'>,
  step: number,
  valueAt: (x: number, y: number) => number,
): Field {
  const columns = Math.ceil(width / step) + 2
  const rows = Math.ceil(height / step) + 2
  const values = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      values[row * columns + column] = valueAt(column * step, row * step)
    }
  }
  const perPixel = 1 / step
  const line = new Float32Array(columns)
  return {
    row(into, y, shift = 0) {
      const gridY = y <= 0 ? 0 : Math.min(y * perPixel, rows - 2)
      const from = (gridY | 0) * columns
      const down = gridY - (gridY | 0)
      for (let i = 0; i < columns; i += 1) {
        const upper = values[from + i] ?? 0
        line[i] = upper + ((values[from + columns + i] ?? 0) - upper) * down
      }
      for (let x = 0; x < into.length; x += 1) {
        const gridX = Math.max(0, Math.min((x + shift) * perPixel, columns - 2))
        const column = gridX | 0
        const left = line[column] ?? 0
        into[x] = left + ((line[column + 1] ?? 0) - left) * (gridX - column)
      }
    },
    at(x, y) {
      const gridX = x <= 0 ? 0 : Math.min(x * perPixel, columns - 2)
      const gridY = y <= 0 ? 0 : Math.min(y * perPixel, rows - 2)
      const column = gridX | 0
      const row = gridY | 0
      const across = gridX - column
      const i = row * columns + column
      const upper = (values[i] ?? 0) * (1 - across) + (values[i + 1] ?? 0) * across
      const lower =
        (values[i + columns] ?? 0) * (1 - across) + (values[i + columns + 1] ?? 0) * across
      return upper + (lower - upper) * (gridY - row)
    },
  }
}
