/** Operations on a list of slides. They are pure, so that the editor can undo them. */
import { byName } from '../../uploads/by-name.ts'
import type { EditedSlide } from './slides.ts'

export type SortOrder = 'name' | 'date'

/** Moves the slides together, in their order, so that the first is at `to` in the list of the others. */
export function moveSlides(
  slides: readonly EditedSlide[],
  keys: ReadonlySet<string>,
  to: number,
): readonly EditedSlide[] {
  const moved = slides.filter(({ key }) => keys.has(key))
  const others = slides.filter(({ key }) => !keys.has(key))
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, ...moved)
}

/** Inserts each copy after its original. */
export function duplicateSlides(
  slides: readonly EditedSlide[],
  copies: ReadonlyMap<string, EditedSlide>,
): readonly EditedSlide[] {
  return slides.flatMap((slide) => {
    const copy = copies.get(slide.key)
    return copy ? [slide, copy] : [slide]
  })
}

/** Sorts by name or date. Slides without a date stay at the end, in their order. */
export function sortSlides(
  slides: readonly EditedSlide[],
  order: SortOrder,
): readonly EditedSlide[] {
  if (order === 'name') return slides.toSorted((one, other) => byName.compare(one.name, other.name))
  return slides.toSorted((one, other) => dateOf(one) - dateOf(other))
}

export function changeOne(
  slides: readonly EditedSlide[],
  key: string,
  change: Partial<EditedSlide>,
): readonly EditedSlide[] {
  return slides.map((slide) => (slide.key === key ? { ...slide, ...change } : slide))
}

export function withCaptions(
  slides: readonly EditedSlide[],
  captions: ReadonlyMap<string, string>,
): readonly EditedSlide[] {
  return slides.map((slide) => ({ ...slide, caption: captions.get(slide.key) ?? slide.caption }))
}

/** A removed slide and its position. */
export type Removed = { readonly slide: EditedSlide; readonly index: number }

export function removedOf(
  slides: readonly EditedSlide[],
  keys: ReadonlySet<string>,
): readonly Removed[] {
  return slides.flatMap((slide, index) => (keys.has(slide.key) ? [{ slide, index }] : []))
}

/** Restores slides at their former positions, or at the end of a shorter list. */
export function bringBack(
  slides: readonly EditedSlide[],
  removed: readonly Removed[],
): readonly EditedSlide[] {
  const here = new Set(slides.map(({ key }) => key))
  return removed
    .filter(({ slide }) => !here.has(slide.key))
    .reduce(
      (list, { slide, index }) => list.toSpliced(Math.min(index, list.length), 0, slide),
      slides,
    )
}

function dateOf({ takenAtMs }: EditedSlide): number {
  return takenAtMs ?? Number.MAX_SAFE_INTEGER
}
