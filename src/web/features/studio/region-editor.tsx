/**
 * The picture with its regions. They can be drawn, moved and resized by mouse, touch or keyboard, and show
 * the cover.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { maxRegions, type RelativeRegion } from '../../../contract/cover-grid.ts'
import { censorWords } from './censor-words.ts'
import { type Cover, drawCovered } from './cover-preview.ts'
import { between, newRegion, nudged, type Region, within } from './regions.ts'

type Drag = {
  readonly kind: 'draw' | 'move' | 'size'
  readonly id: number | null
  readonly start: { readonly x: number; readonly y: number }
  readonly origin: RelativeRegion
}

export function RegionEditor({
  image,
  regions,
  selectedId,
  cover,
  onChange,
  onSelect,
}: {
  image: HTMLImageElement
  regions: readonly Region[]
  selectedId: number | null
  cover: Cover
  onChange: (regions: readonly Region[]) => void
  onSelect: (id: number | null) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | null>(null)
  const [drawn, setDrawn] = useState<RelativeRegion | null>(null)
  const [isReadable, setIsReadable] = useState(true)
  useEffect(() => {
    if (canvas.current) setIsReadable(drawCovered(canvas.current, image, regions, cover))
  }, [image, regions, cover])

  const replace = (changed: Region) =>
    onChange(regions.map((region) => (region.id === changed.id ? changed : region)))

  const pointOf = ({ clientX, clientY }: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (!box) return { x: 0, y: 0 }
    return {
      x: inside((clientX - box.left) / box.width),
      y: inside((clientY - box.top) / box.height),
    }
  }

  const begin = (event: PointerEvent, kind: Drag['kind'], region: Region | null) => {
    if (event.button !== 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    const start = pointOf(event)
    drag.current = { kind, id: region?.id ?? null, start, origin: region ?? { ...start, ...empty } }
    if (region) onSelect(region.id)
  }

  const move = (event: PointerEvent) => {
    const now = drag.current
    if (!now) return
    const { x, y } = pointOf(event)
    if (now.kind === 'draw') {
      setDrawn(between(now.start, { x, y }))
      return
    }
    const region = regions.find(({ id }) => id === now.id)
    if (!region) return
    const [across, down] = [x - now.start.x, y - now.start.y]
    const { origin } = now
    replace(
      within(
        now.kind === 'move'
          ? { ...region, x: origin.x + across, y: origin.y + down }
          : { ...region, width: origin.width + across, height: origin.height + down },
      ),
    )
  }

  const end = () => {
    const isDrawn = drag.current?.kind === 'draw' && drawn !== null
    drag.current = null
    setDrawn(null)
    // A click without a real movement draws nothing.
    if (!isDrawn || drawn.width < 0.01 || drawn.height < 0.01) return
    if (regions.length >= maxRegions) return
    const region = newRegion(drawn)
    onChange([...regions, region])
    onSelect(region.id)
  }

  const press = (event: KeyboardEvent, region: Region) => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      onChange(regions.filter(({ id }) => id !== region.id))
      onSelect(null)
      frame.current?.focus()
    } else {
      const changed = nudged(region, event.key, event.shiftKey)
      if (!changed) return
      replace(changed)
    }
    event.preventDefault()
  }

  return (
    <figure className="grid justify-items-center gap-3 rounded-mount bg-well p-2.5 sm:p-5">
      <div
        ref={frame}
        tabIndex={-1}
        dir="ltr"
        className="relative max-w-full cursor-crosshair touch-none select-none outline-none"
        onPointerDown={(event) => begin(event, 'draw', null)}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      >
        <canvas
          ref={canvas}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn has no address
          role="img"
          aria-label={censorWords.previewLabel}
          className="block max-h-[64vh] max-w-full rounded-[2px]"
        />
        {regions.map((region, index) => (
          <div key={region.id} className="absolute" style={boxOf(region)}>
            <button
              type="button"
              aria-label={censorWords.regionPosition({
                number: index + 1,
                total: regions.length,
                left: Math.round(region.x * 100),
                top: Math.round(region.y * 100),
              })}
              aria-pressed={region.id === selectedId}
              className="absolute inset-0 size-full cursor-move touch-none border border-dashed border-picture-ink outline-offset-2 aria-pressed:border-2 aria-pressed:border-solid aria-pressed:border-lamp"
              onFocus={() => onSelect(region.id)}
              onKeyDown={(event) => press(event, region)}
              onPointerDown={(event) => begin(event, 'move', region)}
            />
            <span
              aria-hidden="true"
              className="absolute -right-3 -bottom-3 grid size-6 cursor-nwse-resize touch-none place-items-center"
              onPointerDown={(event) => begin(event, 'size', region)}
            >
              <span className="size-3 rounded-full border border-picture-dark bg-picture-ink" />
            </span>
          </div>
        ))}
        {drawn && (
          <div className="pointer-events-none absolute border-2 border-lamp" style={boxOf(drawn)} />
        )}
      </div>
      <figcaption className="max-w-[60ch] text-center text-xs text-balance text-ink-3">
        {isReadable ? censorWords.made : censorWords.farAway}
      </figcaption>
    </figure>
  )
}

const empty = { width: 0, height: 0 }

function inside(share: number): number {
  return Math.min(Math.max(share, 0), 1)
}

function boxOf({ x, y, width, height }: RelativeRegion) {
  return {
    left: `${x * 100}%`,
    top: `${y * 100}%`,
    width: `${width * 100}%`,
    height: `${height * 100}%`,
  }
}
