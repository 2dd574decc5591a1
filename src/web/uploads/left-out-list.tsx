/** Lists the files that were left out, with the reason for each, until they are dismissed. */
import { X } from 'lucide-react'
import { IconButton } from '../ui/button.tsx'
import type { LeftOut } from './gather-media.ts'
import { leftOutKey } from './left-out.ts'
import { words } from './words.ts'

/** A longer list is collapsed, because it would hide the page. */
const maxOpen = 6

export function LeftOutList({
  leftOut,
  onDismiss,
}: {
  leftOut: readonly LeftOut[]
  onDismiss: (gone: readonly LeftOut[]) => void
}) {
  if (leftOut.length === 0) return null
  const lines = (
    <ul
      aria-label={words.leftOut({ count: leftOut.length })}
      className="grid max-h-60 gap-1 overflow-auto"
    >
      {leftOut.map((one) => (
        <Line key={leftOutKey(one)} leftOut={one} onDismiss={onDismiss} />
      ))}
    </ul>
  )
  if (leftOut.length === 1) return lines
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-1 text-sm">
      <details open={leftOut.length <= maxOpen}>
        <summary className="cursor-pointer py-2">
          {words.leftOut({ count: leftOut.length })}
        </summary>
        {lines}
      </details>
      <IconButton
        label={words.dismissLeftOut}
        icon={<X size={16} aria-hidden="true" />}
        onClick={() => onDismiss(leftOut)}
      />
    </div>
  )
}

function Line({
  leftOut,
  onDismiss,
}: {
  leftOut: LeftOut
  onDismiss: (gone: readonly LeftOut[]) => void
}) {
  const { name, why } = leftOut
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-1 text-sm">
      <span className="grid">
        <span className="truncate">{name}</span>
        <span className="text-xs text-ink-2">{why}</span>
      </span>
      <IconButton
        label={words.dismissOne({ name })}
        icon={<X size={16} aria-hidden="true" />}
        onClick={() => onDismiss([leftOut])}
      />
    </li>
  )
}
