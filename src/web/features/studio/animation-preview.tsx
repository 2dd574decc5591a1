/** Plays an animation with the frames and times that the server will use. */
import { useEffect, useRef, useState } from 'react'
import { type Frame, furthestZoom } from '../../../contract/animation-timeline.ts'
import { PlayPauseButton } from '../../ui/play-pause-button.tsx'
import { formatTenths } from '../../words/figures.ts'
import { animateWords } from './animate-words.ts'
import { sizeOf } from './studio-picture.ts'

const maxPreviewPx = 640
/** The server uses the first font. */
const letters = '"DejaVu Sans", Verdana, sans-serif'

type Drawn = {
  readonly images: readonly HTMLImageElement[]
  readonly isZoomed: boolean
  readonly text: string
}

export function AnimationPreview({
  images,
  frames,
  sizePx,
  isZoomed,
  text,
}: Drawn & { frames: readonly Frame[]; sizePx: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isPlaying, setIsPlaying] = useState(
    () => !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  )
  const side = Math.min(sizePx, maxPreviewPx)
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    element.width = side
    element.height = side
    let timer: ReturnType<typeof setTimeout>
    const show = (index: number) => {
      const frame = frames[index]
      if (!frame) return
      drawFrame(context, frame, { images, isZoomed, text })
      if (isPlaying)
        timer = setTimeout(() => show((index + 1) % frames.length), Math.max(20, frame.delayMs))
    }
    show(0)
    return () => clearTimeout(timer)
  }, [images, frames, side, isZoomed, text, isPlaying])
  const durationMs = frames.reduce((sum, { delayMs }) => sum + delayMs, 0)
  return (
    <figure className="grid justify-items-center gap-3 rounded-mount bg-well p-2.5 sm:p-5">
      <canvas
        ref={canvas}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn has no address
        role="img"
        aria-label={animateWords.previewLabel}
        className="max-h-[60vh] max-w-full rounded-[2px] shadow-lift"
      />
      <figcaption className="flex items-center gap-2 text-xs text-ink-3">
        <PlayPauseButton
          isRunning={isPlaying}
          startLabel={animateWords.play}
          stopLabel={animateWords.stop}
          onClick={() => setIsPlaying(!isPlaying)}
        />
        {animateWords.facts({ frames: frames.length, seconds: formatTenths(durationMs / 1000) })}
      </figcaption>
    </figure>
  )
}

function drawFrame(
  context: CanvasRenderingContext2D,
  { picture, next, nextShare, zoom }: Frame,
  { images, isZoomed, text }: Drawn,
) {
  const side = context.canvas.width
  // A zoom starts from pictures slightly larger than the frame.
  const still = isZoomed ? Math.ceil(side * furthestZoom) : side
  context.imageSmoothingQuality = 'high'
  context.fillStyle = 'black'
  context.fillRect(0, 0, side, side)
  drawSquare(context, images[picture], Math.round(still / zoom) / still)
  context.globalAlpha = nextShare
  if (nextShare > 0) drawSquare(context, images[next], 1)
  context.globalAlpha = 1
  if (text.trim() !== '') drawWords(context, text.trim())
}

/** Draws the centre square of a picture. */
function drawSquare(
  context: CanvasRenderingContext2D,
  image: HTMLImageElement | undefined,
  shownShare: number,
) {
  if (!image) return
  const { width, height } = sizeOf(image)
  const shown = Math.min(width, height) * shownShare
  const side = context.canvas.width
  context.drawImage(
    image,
    (width - shown) / 2,
    (height - shown) / 2,
    shown,
    shown,
    0,
    0,
    side,
    side,
  )
}

/** Draws white text with a black outline at the bottom, in a size that fits. */
function drawWords(context: CanvasRenderingContext2D, text: string) {
  const side = context.canvas.width
  let fontPx = side / 11
  let lines = linesOf(context, text, fontPx)
  while (lines.length * fontPx * 1.2 > side * 0.6 && fontPx > 7) {
    fontPx *= 0.9
    lines = linesOf(context, text, fontPx)
  }
  context.textAlign = 'center'
  context.textBaseline = 'bottom'
  context.lineJoin = 'round'
  context.lineWidth = Math.max(2, fontPx / 4)
  context.strokeStyle = 'black'
  context.fillStyle = 'white'
  for (const [index, line] of lines.entries()) {
    const bottom = side * 0.96 - (lines.length - 1 - index) * fontPx * 1.2
    context.strokeText(line, side / 2, bottom)
    context.fillText(line, side / 2, bottom)
  }
}

function linesOf(context: CanvasRenderingContext2D, text: string, fontPx: number): string[] {
  context.font = ['bold', `${fontPx}px`, letters].join(' ')
  const max = context.canvas.width * 0.9
  return text.split('\n').flatMap((paragraph) => {
    const lines = ['']
    for (const word of paragraph.split(' ')) {
      const longer = [lines.at(-1) ?? '', word].join(' ').trim()
      if (context.measureText(longer).width <= max) lines[lines.length - 1] = longer
      else lines.push(word)
    }
    return lines.filter((line) => line !== '')
  })
}
