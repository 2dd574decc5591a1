/**
 * Marks several slides, vault files or items of the trash: with a modifier key, as a range, or by touch in a
 * selection mode.
 */
import { useState } from 'react'

/** Anything that has a key can be marked. */
type Markable = { readonly key: string }

export type Marking = {
  readonly keys: ReadonlySet<string>
  /** True in the selection mode: each press marks, for phones without modifier keys. */
  readonly isChoosing: boolean
  readonly toggle: (key: string) => void
  /** Marks all from the selected slide to this one. */
  readonly reach: (from: string, to: string) => void
  readonly all: () => void
  readonly begin: () => void
  readonly clear: () => void
}

const nothing: ReadonlySet<string> = new Set()

export function useMarking(slides: readonly Markable[]): Marking {
  const [marked, setMarked] = useState(nothing)
  const [isChoosing, setIsChoosing] = useState(false)
  // Removed slides are no longer marked.
  const keys = marked.size === 0 ? nothing : stillThere(marked, slides)
  return {
    keys,
    isChoosing: isChoosing || keys.size > 0,
    toggle: (key) => setMarked(toggled(keys, key)),
    reach(from, to) {
      const indexes = [from, to].map((key) => slides.findIndex((slide) => slide.key === key))
      const [first = 0, last = 0] = indexes.toSorted((one, other) => one - other)
      const within = slides.slice(Math.max(0, first), last + 1).map(({ key }) => key)
      setMarked(new Set([...keys, ...within]))
    },
    all: () => setMarked(new Set(slides.map(({ key }) => key))),
    begin: () => setIsChoosing(true),
    clear() {
      setMarked(nothing)
      setIsChoosing(false)
    },
  }
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const others = [...keys].filter((other) => other !== key)
  return new Set(keys.has(key) ? others : [...others, key])
}

function stillThere(marked: ReadonlySet<string>, slides: readonly Markable[]): ReadonlySet<string> {
  const here = slides.filter(({ key }) => marked.has(key))
  return here.length === marked.size ? marked : new Set(here.map(({ key }) => key))
}
