/** The predefined tags as chips. The less common ones appear on demand. */
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Chip } from '../ui/chip.tsx'
import { useTags } from './classification.ts'
import { words } from './words.ts'

const shownAtFirst = 10

export function TagChips({
  chosen,
  onChange,
  max,
  className,
}: {
  chosen: readonly string[]
  onChange: (tags: string[]) => void
  /** The maximum number of chosen tags. */
  max: number
  className: string
}) {
  const tags = useTags()
  const [isOpen, setIsOpen] = useState(false)
  // A tag that was chosen at first stays visible when it is switched off, because it has the focus.
  const [atFirst] = useState(chosen)
  const chips = useRef<HTMLFieldSetElement>(null)
  const shown = isOpen
    ? tags
    : tags.filter(
        ({ slug }, index) =>
          index < shownAtFirst || chosen.includes(slug) || atFirst.includes(slug),
      )
  /** Shows all tags. The pressed button disappears, so the first new chip takes the focus. */
  const open = () => {
    const firstNew = tags.findIndex((tag) => !shown.includes(tag))
    flushSync(() => setIsOpen(true))
    chips.current?.querySelectorAll('button').item(firstNew).focus()
  }
  const switchTag = (slug: string) =>
    onChange(
      chosen.includes(slug) ? chosen.filter((one) => one !== slug) : [...chosen, slug].slice(-max),
    )
  return (
    <fieldset ref={chips} aria-label={words.tags} className={className}>
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
