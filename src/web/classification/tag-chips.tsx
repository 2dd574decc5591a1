/** The seeded tags as chips; the less common ones come when they are asked for. */
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Chip } from '../ui/chip.tsx'
import { useTags } from './classification.ts'
import { words } from './words.ts'

const shownAtFirst = 10

export function TagChips({
  chosen,
  onChange,
  most,
  className,
}: {
  chosen: readonly string[]
  onChange: (tags: string[]) => void
  /** How many can be on at once. */
  most: number
  className: string
}) {
  const tags = useTags()
  const [isOpen, setIsOpen] = useState(false)
  // One that was on at first stays when it is switched off: the focus is on it.
  const [atFirst] = useState(chosen)
  const chips = useRef<HTMLFieldSetElement>(null)
  const shown = isOpen
    ? tags
    : tags.filter(
        ({ slug }, index) =>
          index < shownAtFirst || chosen.includes(slug) || atFirst.includes(slug),
      )
  /** The button is gone then, and the first of the new ones stands for it. */
  const open = () => {
    const firstNew = tags.findIndex((tag) => !shown.includes(tag))
    flushSync(() => setIsOpen(true))
    chips.current?.querySelectorAll('button').item(firstNew).focus()
  }
  const switchTag = (slug: string) =>
    onChange(
      chosen.includes(slug) ? chosen.filter((one) => one !== slug) : [...chosen, slug].slice(-most),
    )
  return (
    <fieldset ref={chips} aria-label={words.tags} className={`min-w-0 ${className}`}>
      {shown.map(({ slug, label }) => (
        <Chip key={slug} isOn={chosen.includes(slug)} onSwitch={() => switchTag(slug)}>
          {label}
        </Chip>
      ))}
      {!isOpen && tags.length > shown.length && (
        <button type="button" className="chip border-transparent" onClick={open}>
          {words.moreTags({ count: tags.length - shown.length })}
        </button>
      )}
    </fieldset>
  )
}
