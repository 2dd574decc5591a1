/** The seeded tags as chips; the less common ones come when they are asked for. */
import { useState } from 'react'
import { Chip } from './ui/chip.tsx'
import { useTags } from './words.ts'

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
  const shown = isOpen
    ? tags
    : tags.filter(({ slug }, index) => index < shownAtFirst || chosen.includes(slug))
  const switchTag = (slug: string) =>
    onChange(
      chosen.includes(slug) ? chosen.filter((one) => one !== slug) : [...chosen, slug].slice(-most),
    )
  return (
    <fieldset aria-label="Tags" className={`min-w-0 ${className}`}>
      {shown.map(({ slug, label }) => (
        <Chip key={slug} isOn={chosen.includes(slug)} onSwitch={() => switchTag(slug)}>
          {label}
        </Chip>
      ))}
      {!isOpen && tags.length > shown.length && (
        <button type="button" className="chip border-transparent" onClick={() => setIsOpen(true)}>
          {tags.length - shown.length} more
        </button>
      )}
    </fieldset>
  )
}
