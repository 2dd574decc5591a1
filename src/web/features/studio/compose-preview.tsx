/** Draws two pictures in the layout that the server will use, from the same geometry. */
import { useEffect, useRef } from 'react'
import {
  fittedSizes,
  type Layout,
  type Pair,
  type PixelRegion,
  type Size,
} from '../../../contract/composition-layout.ts'
import { composeWords } from './compose-words.ts'
import { sizeOf } from './studio-picture.ts'

export type Piece = { readonly image: HTMLImageElement; readonly region: PixelRegion }

/** The screen would scale a larger canvas down. */
const maxPreviewPx = 1600

export function wholePiece(image: HTMLImageElement): Piece {
  return { image, region: { left: 0, top: 0, ...sizeOf(image) } }
}

/** Returns the size of the composition. */
export function composedSize(sizes: Pair<Size>, layout: Layout): Size {
  const [first, second] = fittedSizes(sizes, layout)
  return layout === 'side-by-side'
    ? { width: first.width + second.width, height: first.height }
    : { width: first.width, height: first.height + second.height }
}

export function ComposePreview({
  first,
  second,
  layout,
}: {
  first: Piece
  second: Piece
  layout: Layout
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) draw(canvas.current, [first, second], layout)
  }, [first, second, layout])
  const size = composedSize([first.region, second.region], layout)
  return (
    <figure className="grid justify-items-center gap-3 rounded-mount bg-well p-2.5 sm:p-5">
      <canvas
        ref={canvas}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn has no address
        role="img"
        aria-label={composeWords.previewLabel}
        className="max-h-[60vh] max-w-full rounded-[2px] shadow-lift"
      />
      <figcaption className="text-center text-xs text-ink-3">{composeWords.made(size)}</figcaption>
    </figure>
  )
}

function draw(canvas: HTMLCanvasElement, pieces: Pair<Piece>, layout: Layout) {
  const sizes = fittedSizes([pieces[0].region, pieces[1].region], layout)
  const whole = composedSize([pieces[0].region, pieces[1].region], layout)
  const scale = Math.min(1, maxPreviewPx / Math.max(whole.width, whole.height))
  canvas.width = Math.round(whole.width * scale)
  canvas.height = Math.round(whole.height * scale)
  const context = canvas.getContext('2d')
  if (!context) return
  context.imageSmoothingQuality = 'high'
  const isAcross = layout === 'side-by-side'
  for (const [index, { image, region }] of pieces.entries()) {
    const { width, height } = sizes[index] ?? whole
    const seam = index === 0 ? 0 : isAcross ? sizes[0].width : sizes[0].height
    const [left, top] = isAcross ? [seam, 0] : [0, seam]
    context.drawImage(
      image,
      region.left,
      region.top,
      region.width,
      region.height,
      left * scale,
      top * scale,
      width * scale,
      height * scale,
    )
  }
}
