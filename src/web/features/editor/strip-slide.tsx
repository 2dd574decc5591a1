/** One slide of the strip: a small mount that is shown when pressed and moved when dragged. */
import { useDndContext } from '@dnd-kit/core'
import { useSortable } from '@dnd-kit/sortable'
import { CaptionsOff } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { SlideThumbnail } from './slide-picture.tsx'
import type { EditedSlide } from './slides.ts'

const steps: Partial<Record<string, 1 | -1>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
}

export function StripSlide({
  slide,
  place,
  total,
  isSelected,
  onSelect,
  onStep,
  onRemove,
}: {
  slide: EditedSlide
  place: number
  total: number
  isSelected: boolean
  onSelect: () => void
  /** Selects the slide before or after; its key, or null at the end. */
  onStep: (step: 1 | -1) => string | null
  onRemove: (() => void) | null
}) {
  const { active } = useDndContext()
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, ...sorted } = useSortable({
    id: slide.key,
  })
  const { transform, transition, isDragging } = sorted
  const isSilent = slide.caption.trim() === ''

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
    // While a slide is held, the arrows move it.
    if (active === null && !event.altKey) {
      const step = steps[event.key]
      if (step !== undefined) {
        event.preventDefault()
        focusSlide(onStep(step))
        return
      }
      if (event.key === 'Delete' || event.key === 'Backspace') {
        event.preventDefault()
        onRemove?.()
        return
      }
    }
    listeners?.['onKeyDown']?.(event)
  }

  return (
    <li
      ref={setNodeRef}
      style={{
        transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
        transition,
      }}
      className={`relative shrink-0 lg:grid lg:grid-cols-[1.5rem_1fr] lg:gap-1 ${isDragging ? 'z-10' : ''}`}
    >
      <span
        aria-hidden="true"
        className={`pt-[3px] pr-1 text-right text-xs max-lg:hidden ${isSelected ? 'font-semibold text-ink' : 'text-ink-3'}`}
      >
        {place}
      </span>
      <button
        ref={setActivatorNodeRef}
        type="button"
        {...attributes}
        {...listeners}
        id={buttonIdOf(slide.key)}
        tabIndex={isSelected ? 0 : -1}
        aria-label={nameOf(slide, place, total)}
        aria-current={isSelected}
        onClick={onSelect}
        onKeyDown={onKeyDown}
        className={`block w-[5.75rem] cursor-pointer touch-manipulation rounded-control bg-mount p-1 shadow-mount select-none lg:w-full ${
          isSelected ? 'ring-2 ring-lamp' : ''
        } ${isDragging ? 'shadow-lift' : ''}`}
      >
        <span className="relative block aspect-3/2 overflow-hidden rounded-aperture bg-well">
          <SlideThumbnail slide={slide} />
          {isSilent && (
            <span className="absolute right-1 bottom-1 grid size-5 place-items-center rounded-[4px] bg-picture-burn/80 text-picture-ink">
              <CaptionsOff size={12} aria-hidden="true" />
            </span>
          )}
        </span>
      </button>
    </li>
  )
}

/** The button that shows a slide is where the focus goes when the slide is moved or brought back. */
export function focusSlide(key: string | null) {
  if (key !== null) document.getElementById(buttonIdOf(key))?.focus()
}

/** After a change that took the focused slide away. */
export function focusSelectedSlide() {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[id^="strip-"][aria-current="true"]')?.focus(),
  )
}

function buttonIdOf(key: string): string {
  return `strip-${key}`
}

function nameOf({ caption }: EditedSlide, place: number, total: number): string {
  const words = caption.trim() === '' ? 'no caption' : caption
  return `Slide ${place} of ${total}, ${words}`
}
