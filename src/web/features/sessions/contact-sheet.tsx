/** The slides of a session as a contact sheet: arrived, next, and pending. */
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { MediaMark } from '../../ui/media-mark.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Ticks } from '../../ui/ticks.tsx'
import type { Progress } from './live-session.ts'
import { fillSize, type Slide } from './session-data.ts'
import { words } from './words.ts'

/** A multiple of every number of columns that fills the last row on most screens. */
const cellsAtOnce = 120

/** Fills an aperture with 25 cells and their ticks. */
export function FillingSheet({ progress }: { progress: Progress | null }) {
  const { done, total } = progress ?? { done: 0, total: fillSize }
  return (
    <div className="absolute inset-0 flex flex-col gap-[3px] bg-well p-[3px]">
      <div className="grid grow grid-cols-5 gap-[3px]" aria-hidden="true">
        {Array.from({ length: total }, (_, index) => (
          <div key={index} className={`rounded-[1.5px] ${cellLook(index, done)}`} />
        ))}
      </div>
      <Ticks label={words.slidesArrived} done={done} total={total} />
    </div>
  )
}

/**
 * Shows each slide cropped to a cell, in order. A press plays the session from there. A long session shows
 * more cells as soon as the last one is visible.
 */
export function SlideSheet({
  slides,
  playAddress,
  coming = 0,
}: {
  slides: readonly Slide[]
  playAddress: string
  /** The number of slides that are still being loaded. */
  coming?: number
}) {
  const [shown, setShown] = useState(cellsAtOnce)
  const list = {
    hasNextPage: slides.length > shown,
    isFetchingNextPage: false,
    fetchNextPage: async () => setShown(shown + cellsAtOnce),
  }
  const positions = positionsInShow(slides)
  const waiting = Math.max(0, Math.min(coming, cellsAtOnce - slides.length))
  return (
    <>
      <ol
        className={`grid grid-cols-3 gap-1.5 sm:gap-2 ${slides.length + waiting > 3 ? 'sm:grid-cols-5 xl:grid-cols-6 2xl:grid-cols-8 3xl:grid-cols-10' : ''}`}
      >
        {slides.slice(0, shown).map((slide, index) => (
          <li key={slide.id}>
            <Link
              href={`${playAddress}?slide=${positions[index]}`}
              title={words.playFromHere}
              className="relative block aspect-3/2 overflow-hidden rounded-aperture bg-well"
            >
              <Thumbnail slide={slide} />
              <MediaMark type={slide.type} />
            </Link>
          </li>
        ))}
        {Array.from({ length: waiting }, (_, index) => (
          <li key={index} aria-hidden="true" className="aspect-3/2 rounded-aperture bg-well" />
        ))}
      </ol>
      <ShowMore list={list} isEager />
    </>
  )
}

/**
 * Returns the playlist position of each slide. The player omits slides in the trash, so such a slide starts
 * with the next one.
 */
function positionsInShow(slides: readonly Slide[]): number[] {
  let before = 0
  return slides.map(({ mediaUrl }) => (mediaUrl === null ? before + 1 : (before += 1)))
}

function Thumbnail({ slide }: { slide: Slide }) {
  const description = slide.caption ?? words.slideNumber({ number: slide.order + 1 })
  const className = 'absolute inset-0 size-full object-cover'
  if (slide.mediaUrl === null)
    return (
      <span className="absolute inset-0 grid place-content-center justify-items-center gap-1 p-2 text-center text-xs text-ink-2">
        <Trash2 size={18} aria-hidden="true" />
        {words.inTrash}
      </span>
    )
  if (slide.thumbnail === null && slide.type === 'video')
    return (
      <video
        src={slide.mediaUrl}
        aria-label={description}
        preload="metadata"
        muted
        className={className}
      />
    )
  return (
    <img
      src={slide.thumbnail ?? slide.mediaUrl}
      alt={description}
      loading="lazy"
      // A browser opens six connections to a site. Requests of a dialog go before thumbnails that wait.
      fetchPriority="low"
      decoding="async"
      className={className}
    />
  )
}

function cellLook(index: number, done: number): string {
  if (index < done) return 'bg-edge/50'
  return index === done ? 'bg-lamp-tint inset-ring inset-ring-lamp' : 'bg-mount'
}
