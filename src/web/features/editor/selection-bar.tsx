/** The actions for several selected slides. */
import { ArrowDownToLine, ArrowUpToLine, CopyPlus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import type { Marking } from './marking.ts'
import { words } from './words.ts'

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
      aria-label={words.selectedSlides}
      className="flex flex-wrap items-center gap-1 rounded-mount bg-press px-3 py-1"
    >
      <output className="me-auto min-w-36 text-sm font-[560]">
        {size === 0 ? words.pressToSelect : words.slidesSelected({ count: size })}
      </output>
      <Button size="small" look="bare" onClick={marking.all}>
        {words.selectAll}
      </Button>
      <Action
        isIdle={isIdle}
        icon={<ArrowUpToLine size={16} aria-hidden="true" className="max-lg:-rotate-90" />}
        onClick={() => onMove('start')}
      >
        {words.toStart}
      </Action>
      <Action
        isIdle={isIdle}
        icon={<ArrowDownToLine size={16} aria-hidden="true" className="max-lg:-rotate-90" />}
        onClick={() => onMove('end')}
      >
        {words.toEnd}
      </Action>
      <Action
        isIdle={isIdle}
        icon={<CopyPlus size={16} aria-hidden="true" />}
        onClick={onDuplicate}
      >
        {words.duplicate}
      </Action>
      <Action isIdle={isIdle} icon={<Trash2 size={16} aria-hidden="true" />} onClick={onRemove}>
        {words.remove}
      </Action>
      <Button size="small" onClick={marking.clear}>
        {words.done}
      </Button>
    </div>
  )
}

/** A button, disabled while nothing is selected. */
function Action({
  isIdle,
  ...rest
}: {
  isIdle: boolean
  icon: ReactNode
  onClick: () => void
  children: ReactNode
}) {
  return <Button size="small" look="bare" disabled={isIdle} {...rest} />
}
