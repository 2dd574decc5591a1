/** Chips: toggles for filters, and removable words in a field. */
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { words } from './words.ts'

export function Chip({
  isOn,
  onSwitch,
  icon,
  count,
  children,
}: {
  isOn: boolean
  onSwitch: () => void
  icon?: ReactNode
  count?: number
  children: ReactNode
}) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onSwitch}>
      {icon}
      {children}
      {count !== undefined && <span className="font-[450] text-ink-3">{count}</span>}
    </button>
  )
}

/** A chosen word with an x that removes it. */
export function RemovableChip({
  word,
  buttonId,
  onRemove,
}: {
  word: string
  buttonId: string
  onRemove: () => void
}) {
  return (
    <span className="chip chip-on pe-0">
      {word}
      <button
        type="button"
        id={buttonId}
        aria-label={words.remove({ word })}
        onClick={onRemove}
        className="grid h-8 w-8 cursor-pointer place-items-center rounded-control text-ink-2 hover:text-ink focus-visible:-outline-offset-4"
      >
        <X size={14} aria-hidden="true" />
      </button>
    </span>
  )
}
