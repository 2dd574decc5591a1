/** The layout of a composition. The server and the preview page share this code, so they cannot differ. */

export type Layout = 'side-by-side' | 'top-bottom'

export type Size = { readonly width: number; readonly height: number }

/** A region of a picture, in pixels. */
export type PixelRegion = Size & { readonly left: number; readonly top: number }

export type Pair<T> = readonly [T, T]

/** The limits for each side of a picture, in pixels. */
export const compositionSides = { minPx: 200, maxPx: 4000 } as const

/** Stacks two landscapes; puts portraits, squares and mixed pairs side by side. */
export function layoutFor(sizes: Pair<Size>): Layout {
  return sizes.every(({ width, height }) => width > height) ? 'top-bottom' : 'side-by-side'
}

/** Returns the size of each picture after scaling the shared side to the smaller of the two. */
export function fittedSizes([first, second]: Pair<Size>, layout: Layout): Pair<Size> {
  if (layout === 'side-by-side') {
    const height = Math.min(first.height, second.height)
    const toHeight = (size: Size) => ({ width: scaled(size.width, height / size.height), height })
    return [toHeight(first), toHeight(second)]
  }
  const width = Math.min(first.width, second.width)
  const toWidth = (size: Size) => ({ width, height: scaled(size.height, width / size.width) })
  return [toWidth(first), toWidth(second)]
}

/** Splits a composition at its seam. */
export function partsOf(
  { width, height }: Size,
  { layout, seam }: { readonly layout: Layout; readonly seam: number },
): Pair<PixelRegion> {
  return layout === 'side-by-side'
    ? [
        { left: 0, top: 0, width: seam, height },
        { left: seam, top: 0, width: width - seam, height },
      ]
    : [
        { left: 0, top: 0, width, height: seam },
        { left: 0, top: seam, width, height: height - seam },
      ]
}

function scaled(length: number, factor: number): number {
  return Math.max(1, Math.round(length * factor))
}
