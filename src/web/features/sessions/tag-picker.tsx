/** Picks tags from the seeded words: those that are on stand first. */
import { useState } from 'react'
import { Chip } from '../../ui/chip.tsx'
import { useTags } from '../../words.ts'

const mostTags = 10
const shownAtFirst = 10

export function TagPicker({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (tags: string[]) => void
}) {
  const tags = useTags()
  const [isOpen, setIsOpen] = useState(false)
  const shown = isOpen
    ? tags
    : tags.filter(({ slug }, index) => index < shownAtFirst || chosen.includes(slug))
  return (
    <div role="group" aria-label="Tags" className="grid gap-2">
      <p className="text-sm font-[560]">Tags</p>
      <div className="flex flex-wrap gap-2">
        {shown.map(({ slug, label }) => {
          const isOn = chosen.includes(slug)
          return (
            <Chip
              key={slug}
              isOn={isOn}
              onSwitch={() =>
                onChange(
                  isOn
                    ? chosen.filter((one) => one !== slug)
                    : [...chosen, slug].slice(0, mostTags),
                )
              }
            >
              {label}
            </Chip>
          )
        })}
        {!isOpen && tags.length > shown.length && (
          <button type="button" className="chip border-transparent" onClick={() => setIsOpen(true)}>
            {tags.length - shown.length} more
          </button>
        )}
      </div>
    </div>
  )
}
