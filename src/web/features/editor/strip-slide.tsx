/** A slide of the strip: a small mount, selected by a press and moved by dragging. */
import { useDndContext } from '@dnd-kit/core'
import { useSortable } from '@dnd-kit/sortable'
import { CaptionsOff, Check, Film, ImageUp } from 'lucide-react'
import { type KeyboardEvent, memo, type MouseEvent } from 'react'
import { formatNumber } from '../../words/figures.ts'
import { SlideThumbnail } from './slide-picture.tsx'
import type { EditedSlide } from './slides.ts'
import { words } from './words.ts'

const steps: Partial<Record<string, 1 | -1>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
}

export type StripActions = {
  /** Selects the slide. With a modifier key it also marks it, alone or as a range. */
  readonly press: (key: string, how: { isToggle: boolean; isReach: boolean }) => void
  /** Moves to the previous or next slide, and marks it too if `isReach`. */
  readonly step: (key: string, step: 1 | -1 | 'first' | 'last', how: { isReach: boolean }) => void
  readonly remove: (key: string) => void
  readonly markAll: () => void
  readonly clearMarks: () => void
}

export const StripSlide = memo(function StripSlide({
  slide,
  position,
  total,
  offsetPx,
  isStanding,
  isSelected,
  isMarked,
  isCover,
  actions,
}: {
  slide: EditedSlide
  position: number
  total: number
  offsetPx: number
  isStanding: boolean
  isSelected: boolean
  isMarked: boolean
  isCover: boolean
  actions: StripActions
}) {
  const { active } = useDndContext()
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, ...sorted } = useSortable({
    id: slide.key,
    attributes: { roleDescription: words.sortable },
  })
  const { transform, transition, isDragging } = sorted
  const isSilent = slide.caption.trim() === ''

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
    // While a slide is held, the arrow keys move it.
    const action = active === null && !event.altKey ? actionOf(event, slide.key, actions) : null
    if (action === null) {
      listeners?.['onKeyDown']?.(event)
      return
    }
    event.preventDefault()
    action()
  }

  function onClick(event: MouseEvent) {
    actions.press(slide.key, {
      isToggle: event.ctrlKey || event.metaKey,
      isReach: event.shiftKey,
    })
  }

  return (
    <li
      ref={setNodeRef}
      aria-setsize={total}
      aria-posinset={position}
      style={{
        [isStanding ? 'top' : 'left']: offsetPx,
        transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
        transition,
      }}
      className={`absolute lg:grid lg:w-full lg:grid-cols-[1.5rem_1fr] lg:gap-1 ${isDragging ? 'z-10' : ''}`}
    >
      <span
        aria-hidden="true"
        className={`pt-[3px] pe-1 text-end text-xs max-lg:hidden ${isSelected ? 'font-semibold text-ink' : 'text-ink-3'}`}
      >
        {formatNumber(position)}
      </span>
      <button
        ref={setActivatorNodeRef}
        type="button"
        {...attributes}
        {...listeners}
        id={buttonIdOf(slide.key)}
        tabIndex={isSelected ? 0 : -1}
        aria-label={nameOf(slide, { position, total, isMarked })}
        aria-current={isSelected}
        onClick={onClick}
        onKeyDown={onKeyDown}
        className={`block w-[5.75rem] cursor-pointer touch-manipulation rounded-control bg-mount p-1 shadow-mount select-none lg:w-full ${
          isSelected ? 'ring-2 ring-lamp' : ''
        } ${isDragging ? 'shadow-lift' : ''} ${isMarked ? 'bg-lamp-tint' : ''}`}
      >
        <span className="relative block aspect-3/2 overflow-hidden rounded-aperture bg-well">
          <SlideThumbnail slide={slide} />
          {isMarked && (
            <Badge className="top-1 start-1 bg-lamp text-on-lamp">
              <Check size={12} aria-hidden="true" />
            </Badge>
          )}
          {isCover && (
            <Badge className="bottom-1 start-1 bg-lamp text-on-lamp">
              <ImageUp size={12} aria-hidden="true" />
            </Badge>
          )}
          {slide.type === 'video' && (
            <Badge className="top-1 end-1 bg-picture-burn/80 text-picture-ink">
              <Film size={12} aria-hidden="true" />
            </Badge>
          )}
          {isSilent && (
            <Badge className="end-1 bottom-1 bg-picture-burn/80 text-picture-ink">
              <CaptionsOff size={12} aria-hidden="true" />
            </Badge>
          )}
        </span>
      </button>
    </li>
  )
})

function Badge({ className, children }: { className: string; children: React.ReactNode }) {
  return (
    <span className={`absolute grid size-5 place-items-center rounded-[4px] ${className}`}>
      {children}
    </span>
  )
}

function actionOf(
  event: KeyboardEvent,
  slideKey: string,
  actions: StripActions,
): (() => void) | null {
  const { key, shiftKey: isReach } = event
  const step = steps[key] ?? (key === 'Home' ? 'first' : key === 'End' ? 'last' : undefined)
  if (step !== undefined) return () => actions.step(slideKey, step, { isReach })
  if (key === 'Delete' || key === 'Backspace') return () => actions.remove(slideKey)
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'a') return actions.markAll
  return key === 'Escape' ? actions.clearMarks : null
}

/** Focuses the button of a slide after it was moved or restored. */
export function focusSlide(key: string | null) {
  if (key !== null) document.getElementById(buttonIdOf(key))?.focus()
}

/** Focuses the selected slide after a change removed the focused one or scrolled to another. */
export function focusSelectedSlide() {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[id^="strip-"][aria-current="true"]')?.focus(),
  )
}

function buttonIdOf(key: string): string {
  return `strip-${key}`
}

function nameOf(
  slide: EditedSlide,
  { isMarked, ...at }: { position: number; total: number; isMarked: boolean },
): string {
  const caption = slide.caption.trim() === '' ? words.noCaption : slide.caption
  return isMarked
    ? words.selectedSlideName({ ...at, caption })
    : words.slideName({ ...at, caption })
}
