/**
 * The slides in their order, to be looked at, picked up and put elsewhere: with a mouse, a finger or
 * the keyboard. A screen reader says where a slide is.
 */
import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
} from '@dnd-kit/sortable'
import { Plus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { EditedSlide } from './slides.ts'
import { focusSelectedSlide, StripSlide } from './strip-slide.tsx'

export function SlideStrip({
  slides,
  selectedKey,
  isLocked,
  onSelect,
  onMove,
  onRemove,
  onAdd,
}: {
  slides: readonly EditedSlide[]
  selectedKey: string | null
  isLocked: boolean
  onSelect: (key: string) => void
  onMove: (key: string, to: number) => void
  onRemove: (key: string) => void
  onAdd: () => void
}) {
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    // A finger that moves at once scrolls; one that rests picks up.
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
      // Enter shows a slide, so only the space bar picks it up.
      keyboardCodes: { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter', 'Tab'] },
    }),
  )
  const keys = slides.map(({ key }) => key)
  const drop = ({ active, over }: DragEndEvent) => {
    if (over) onMove(String(active.id), keys.indexOf(String(over.id)))
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{
        announcements: announce(keys),
        screenReaderInstructions: {
          draggable:
            'Press Enter to show the slide, the arrow keys to go to another. Press Space to pick it up, the arrow keys to move it, Space to put it down, Escape to put it back. Press Delete to remove it.',
        },
      }}
    >
      <div className="flex items-start gap-2 overflow-auto max-lg:order-2 px-4 py-2.5 [scrollbar-width:none] lg:min-h-0 lg:flex-col lg:items-stretch lg:gap-2.5 lg:border-r lg:border-hairline lg:py-3.5 lg:pr-3.5 lg:pl-2">
        <SortableContext items={keys} strategy={rectSortingStrategy} disabled={isLocked}>
          <ol aria-label="Slides" className="contents">
            {slides.map((slide, index) => (
              <StripSlide
                key={slide.key}
                slide={slide}
                place={index + 1}
                total={slides.length}
                isSelected={slide.key === selectedKey}
                onSelect={() => onSelect(slide.key)}
                onStep={(step) => {
                  const next = keys[index + step]
                  if (next !== undefined) onSelect(next)
                  return next ?? null
                }}
                onRemove={
                  isLocked
                    ? null
                    : () => {
                        onRemove(slide.key)
                        focusSelectedSlide()
                      }
                }
              />
            ))}
          </ol>
        </SortableContext>
        <Button
          size="small"
          icon={<Plus size={16} aria-hidden="true" />}
          onClick={onAdd}
          disabled={isLocked}
          className="min-h-[4.5rem] shrink-0 px-4 lg:ml-6 lg:min-h-10"
        >
          Add
        </Button>
      </div>
    </DndContext>
  )
}

function announce(keys: readonly string[]): Announcements {
  const placeOf = (id: string | number) => `place ${keys.indexOf(String(id)) + 1} of ${keys.length}`
  return {
    onDragStart: () => 'Picked up.',
    onDragOver({ active, over }) {
      if (!over) return undefined
      return over.id === active.id
        ? `Holding the slide at ${placeOf(over.id)}, its own.`
        : `The slide is now at ${placeOf(over.id)}.`
    },
    onDragEnd: ({ active, over }) => `Put down at ${placeOf((over ?? active).id)}.`,
    onDragCancel: ({ active }) => `Put back at ${placeOf(active.id)}.`,
  }
}
