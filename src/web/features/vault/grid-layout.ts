/**
 * Computes the position of each file of the vault: rows of similar height that fill the width, under date
 * headings. It is pure and fast: a change of width lays out ten thousand files again.
 */

type LaidOutFile = { readonly width: number; readonly height: number; readonly created_at: string }

export type Cell = { readonly index: number; readonly startPx: number; readonly widthPx: number }

export type GridRow =
  | {
      readonly kind: 'heading'
      readonly topPx: number
      readonly heightPx: number
      readonly text: string
    }
  | {
      readonly kind: 'files'
      readonly topPx: number
      readonly heightPx: number
      readonly cells: readonly Cell[]
    }

export type GridLayout = { readonly rows: readonly GridRow[]; readonly heightPx: number }

export type GridMeasures = {
  readonly widthPx: number
  readonly rowPx: number
  readonly gapPx: number
  readonly headingPx: number
}

/** The limits of the shape; other files are cropped. A file without known dimensions counts as a photo. */
const narrowest = 0.6
const widest = 2.4
const usual = 3 / 2
/** The last row under a heading is not stretched; other rows are, up to this factor. */
const maxStretch = 1.35

export function layoutGrid(
  files: readonly LaidOutFile[],
  headingOf: (createdAt: string) => string,
  measures: GridMeasures,
): GridLayout {
  const { widthPx, rowPx, gapPx, headingPx } = measures
  const rows: GridRow[] = []
  let topPx = 0
  let heading: string | null = null
  let waiting: { index: number; shape: number }[] = []

  function endRow({ isLast }: { isLast: boolean }) {
    if (waiting.length === 0) return
    const shapes = waiting.reduce((sum, { shape }) => sum + shape, 0)
    const roomPx = widthPx - gapPx * (waiting.length - 1)
    const filledPx = roomPx / shapes
    const heightPx = Math.round(
      isLast ? Math.min(filledPx, rowPx) : Math.min(filledPx, rowPx * maxStretch),
    )
    let startPx = 0
    const cells = waiting.map(({ index, shape }) => {
      const cell = { index, startPx, widthPx: Math.min(shape * heightPx, widthPx - startPx) }
      startPx += cell.widthPx + gapPx
      return cell
    })
    rows.push({ kind: 'files', topPx, heightPx, cells })
    topPx += heightPx + gapPx
    waiting = []
  }

  files.forEach((file, index) => {
    const text = headingOf(file.created_at)
    if (text !== heading) {
      endRow({ isLast: true })
      heading = text
      rows.push({ kind: 'heading', topPx, heightPx: headingPx, text })
      topPx += headingPx
    }
    waiting.push({ index, shape: shapeOf(file) })
    const shapes = waiting.reduce((sum, { shape }) => sum + shape, 0)
    if (shapes * rowPx + gapPx * (waiting.length - 1) >= widthPx) endRow({ isLast: false })
  })
  endRow({ isLast: true })
  return { rows, heightPx: Math.max(0, topPx - gapPx) }
}

/** Returns the rows that overlap a vertical range. */
export function rowsBetween(
  rows: readonly GridRow[],
  startPx: number,
  endPx: number,
): readonly GridRow[] {
  const first = firstWhere(rows, ({ topPx, heightPx }) => topPx + heightPx >= startPx)
  const end = firstWhere(rows, ({ topPx }) => topPx > endPx)
  return rows.slice(first, end)
}

/**
 * Returns the index of the file above or below, nearest to the centre, or the same index if there is none.
 */
export function neighbour(rows: readonly GridRow[], index: number, step: 1 | -1): number {
  const own = rows.findIndex((row) => holds(row, index))
  const cell = cellIn(rows[own], index)
  if (!cell) return index
  for (let index = own + step; index >= 0 && index < rows.length; index += step) {
    const row = rows[index]
    if (row?.kind !== 'files') continue
    const middle = cell.startPx + cell.widthPx / 2
    const [nearest] = row.cells.toSorted((one, other) => away(one, middle) - away(other, middle))
    return nearest?.index ?? index
  }
  return index
}

export function rowOf(rows: readonly GridRow[], index: number): GridRow | undefined {
  return rows.find((row) => holds(row, index))
}

function shapeOf({ width, height }: LaidOutFile): number {
  if (width === 0 || height === 0) return usual
  return Math.min(Math.max(width / height, narrowest), widest)
}

function away({ startPx, widthPx }: Cell, middle: number): number {
  return Math.abs(startPx + widthPx / 2 - middle)
}

function cellIn(row: GridRow | undefined, index: number): Cell | undefined {
  return row?.kind === 'files' ? row.cells.find((cell) => cell.index === index) : undefined
}

function holds(row: GridRow, index: number): boolean {
  return cellIn(row, index) !== undefined
}

/** Finds the first row by binary search: the rows are sorted. */
function firstWhere(rows: readonly GridRow[], isIt: (row: GridRow) => boolean): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row && isIt(row)) high = middle
    else low = middle + 1
  }
  return low
}
