/** What can be done to several slides at once, while some are selected. */
import { ArrowDownToLine, ArrowUpToLine, CopyPlus, Trash2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { countSlides } from '../sessions/session-data.ts'
import type { Marking } from './marking.ts'

export function SelectionBar({
  marking,
  isLocked,
  onDuplicate,
  onMove,
  onRemove,
}: {
  marking: Marking
  isLocked: boolean
  onDuplicate: () => void
  onMove: (where: 'start' | 'end') => void
  onRemove: () => void
}) {
  const { size } = marking.keys
  const isIdle = isLocked || size === 0
  return (
    <div
      role="toolbar"
      aria-label="Selected slides"
      className="flex flex-wrap items-center gap-1 rounded-mount bg-press px-3 py-1"
    >
      <output className="mr-auto min-w-36 text-sm font-[560]">
        {size === 0 ? 'Press slides to select them' : `${countSlides(size)} selected`}
      </output>
      <Button size="small" look="bare" onClick={marking.all}>
        Select all
      </Button>
      <Button
        size="small"
        look="bare"
        disabled={isIdle}
        icon={<ArrowUpToLine size={16} aria-hidden="true" className="max-lg:-rotate-90" />}
        onClick={() => onMove('start')}
      >
        To the start
      </Button>
      <Button
        size="small"
        look="bare"
        disabled={isIdle}
        icon={<ArrowDownToLine size={16} aria-hidden="true" className="max-lg:-rotate-90" />}
        onClick={() => onMove('end')}
      >
        To the end
      </Button>
      <Button
        size="small"
        look="bare"
        disabled={isIdle}
        icon={<CopyPlus size={16} aria-hidden="true" />}
        onClick={onDuplicate}
      >
        Duplicate
      </Button>
      <Button
        size="small"
        look="bare"
        disabled={isIdle}
        icon={<Trash2 size={16} aria-hidden="true" />}
        onClick={onRemove}
      >
        Remove
      </Button>
      <Button size="small" onClick={marking.clear}>
        Done
      </Button>
    </div>
  )
}
