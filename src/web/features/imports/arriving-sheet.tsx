/** The slides of an import as a contact sheet: each copied file shows its picture. */
import { hasOwnFile } from '../sessions/import-events.ts'
import type { Slide } from '../sessions/session-data.ts'

/** Smaller cells would not be recognisable. */
const maxCells = 100

export function ArrivingSheet({ slides }: { slides: readonly Slide[] }) {
  const shown = slides.slice(0, maxCells)
  const side = Math.ceil(Math.sqrt(shown.length))
  const next = slides.find((slide) => !hasOwnFile(slide))
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 grid gap-[3px] bg-well p-[3px]"
      style={{
        gridTemplateColumns: `repeat(${side}, minmax(0, 1fr))`,
        gridTemplateRows: `repeat(${Math.ceil(shown.length / side)}, minmax(0, 1fr))`,
      }}
    >
      {shown.map((slide) => (
        <div
          key={slide.id}
          className={`relative overflow-hidden rounded-[1.5px] ${
            slide === next ? 'bg-lamp-tint inset-ring inset-ring-lamp' : 'bg-mount'
          }`}
        >
          {hasOwnFile(slide) && <Picture slide={slide} />}
        </div>
      ))}
    </div>
  )
}

function Picture({ slide: { thumbnail, mediaUrl, type } }: { slide: Slide }) {
  if (thumbnail === null && type === 'video') return null
  return (
    <img
      src={thumbnail ?? mediaUrl ?? undefined}
      alt=""
      decoding="async"
      className="late absolute inset-0 size-full object-cover"
    />
  )
}
