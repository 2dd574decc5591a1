/**
 * The slides in order. The user can move them by mouse, touch or keyboard, and screen readers announce the
 * position. Only slides near the visible part are rendered.
 */
import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardCode,
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
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import type { EditedSlide } from './slides.ts'
import { type StripActions, StripSlide } from './strip-slide.tsx'
import { useStripWindow } from './strip-window.ts'
import { words } from './words.ts'

export function SlideStrip({
  slides,
  selectedKey,
  marked,
  coverKey,
  isLocked,
  actions,
  onMove,
  onAdd,
}: {
  slides: readonly EditedSlide[]
  selectedKey: string | null
  marked: ReadonlySet<string>
  coverKey: string | null
  isLocked: boolean
  /** Stable functions, so that a slide renders again only when it changes. */
  actions: StripActions
  onMove: (key: string, to: number) => void
  onAdd: () => void
}) {
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    // A touch that moves at once scrolls; a touch that rests picks the slide up.
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
      // Enter selects a slide, so only Space picks it up.
      keyboardCodes: {
        start: [KeyboardCode.Space],
        cancel: [KeyboardCode.Esc],
        end: [KeyboardCode.Space, KeyboardCode.Enter, KeyboardCode.Tab],
      },
    }),
  )
  const container = useRef<HTMLDivElement>(null)
  const [heldKey, setHeldKey] = useState<string | null>(null)
  const keys = useSameKeys(slides)
  const strip = useStripWindow(container, slides.length)
  const { show } = strip
  const selectedIndex = keys.indexOf(selectedKey ?? '')
  useEffect(() => {
    if (selectedIndex !== -1) show(selectedIndex)
  }, [selectedIndex, show])
  const drop = ({ active, over }: DragEndEvent) => {
    setHeldKey(null)
    if (over) onMove(String(active.id), keys.indexOf(String(over.id)))
  }
  const drawn = slides
    .map((slide, index) => ({ slide, index }))
    .filter(
      ({ slide, index }) =>
        (index >= strip.first && index < strip.end) ||
        // Always render the selected slide, which may have the focus, and the held one.
        slide.key === selectedKey ||
        slide.key === heldKey,
    )
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragStart={({ active }) => setHeldKey(String(active.id))}
      onDragCancel={() => setHeldKey(null)}
      onDragEnd={drop}
      accessibility={{
        announcements: announce(keys),
        screenReaderInstructions: { draggable: words.stripInstructions },
      }}
    >
      <div
        ref={container}
        // In the playing order, like its arrows: from left to right, or downwards.
        dir={strip.isStanding ? undefined : 'ltr'}
        className="flex items-start gap-2 overflow-auto px-4 py-2.5 [scrollbar-width:none] max-lg:order-2 lg:min-h-0 lg:flex-col lg:items-stretch lg:gap-0 lg:border-e lg:border-hairline lg:py-3.5 lg:pe-3.5 lg:ps-2"
      >
        <SortableContext items={keys} strategy={rectSortingStrategy} disabled={isLocked}>
          <StripList isStanding={strip.isStanding} lengthPx={strip.lengthPx}>
            {drawn.map(({ slide, index }) => (
              <StripSlide
                key={slide.key}
                slide={slide}
                position={index + 1}
                total={slides.length}
                offsetPx={strip.offsetPx(index)}
                isStanding={strip.isStanding}
                isSelected={slide.key === selectedKey}
                isMarked={marked.has(slide.key)}
                isCover={slide.key === coverKey}
                actions={actions}
              />
            ))}
          </StripList>
        </SortableContext>
        <Button
          size="small"
          icon={<Plus size={16} aria-hidden="true" />}
          onClick={onAdd}
          disabled={isLocked}
          className="min-h-[4.5rem] shrink-0 px-4 lg:px-2 lg:ms-6 lg:min-h-10"
        >
          {words.add}
        </Button>
      </div>
    </DndContext>
  )
}

/** As long as all slides together, although only some are rendered. */
function StripList({
  isStanding,
  lengthPx,
  children,
}: {
  isStanding: boolean
  lengthPx: number
  children: React.ReactNode
}) {
  return (
    <ol
      aria-label={words.slides}
      style={isStanding ? { height: lengthPx } : { width: lengthPx }}
      className="relative shrink-0 max-lg:h-[4.625rem] lg:w-full"
    >
      {children}
    </ol>
  )
}

/**
 * Returns the same array while the slides and their order stay the same, so that typing does not change it.
 */
function useSameKeys(slides: readonly EditedSlide[]): string[] {
  const joined = slides.map(({ key }) => key).join(' ')
  return useMemo(() => (joined === '' ? [] : joined.split(' ')), [joined])
}

function announce(keys: readonly string[]): Announcements {
  const positionOf = (id: string | number) => ({
    position: keys.indexOf(String(id)) + 1,
    total: keys.length,
  })
  return {
    onDragStart: () => words.pickedUp,
    onDragOver({ active, over }) {
      if (!over) return undefined
      return over.id === active.id
        ? words.heldAtOwnPosition(positionOf(over.id))
        : words.heldAt(positionOf(over.id))
    },
    onDragEnd: ({ active, over }) => words.putDownAt(positionOf((over ?? active).id)),
    onDragCancel: ({ active }) => words.putBackAt(positionOf(active.id)),
  }
}
