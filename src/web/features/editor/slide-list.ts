/** What can be done to a list of slides: pure, so that the editor can undo all of it. */
import { byName } from '../../uploads/by-name.ts'
import type { EditedSlide } from './slides.ts'

export type SortOrder = 'name' | 'date'

/** Together, in their order, so that the first of them stands at `to` of what they leave. */
export function moveSlides(
  slides: readonly EditedSlide[],
  keys: ReadonlySet<string>,
  to: number,
): readonly EditedSlide[] {
  const moved = slides.filter(({ key }) => keys.has(key))
  const others = slides.filter(({ key }) => !keys.has(key))
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, ...moved)
}

/** Each copy follows its original. */
export function duplicateSlides(
  slides: readonly EditedSlide[],
  copies: ReadonlyMap<string, EditedSlide>,
): readonly EditedSlide[] {
  return slides.flatMap((slide) => {
    const copy = copies.get(slide.key)
    return copy ? [slide, copy] : [slide]
  })
}

/** Those of which no date is known stay together at the end, in their order. */
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

/** A slide that was removed, and where it was. */
export type Removed = { readonly slide: EditedSlide; readonly place: number }

export function removedOf(
  slides: readonly EditedSlide[],
  keys: ReadonlySet<string>,
): readonly Removed[] {
  return slides.flatMap((slide, place) => (keys.has(slide.key) ? [{ slide, place }] : []))
}

/** Where they were, as far as that place is still there. */
export function bringBack(
  slides: readonly EditedSlide[],
  removed: readonly Removed[],
): readonly EditedSlide[] {
  const here = new Set(slides.map(({ key }) => key))
  return removed
    .filter(({ slide }) => !here.has(slide.key))
    .reduce(
      (list, { slide, place }) => list.toSpliced(Math.min(place, list.length), 0, slide),
      slides,
    )
}

function dateOf({ takenAtMs }: EditedSlide): number {
  return takenAtMs ?? Number.MAX_SAFE_INTEGER
}
