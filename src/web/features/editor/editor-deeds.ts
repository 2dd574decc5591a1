/** What is done to the slides from the editor's controls, each said aloud and taken back by a toast. */
import { type Dispatch, useEffect, useMemo, useRef, useState } from 'react'
import { showToast } from '../../ui/toasts.tsx'
import { countSlides } from '../sessions/session-data.ts'
import type { Editing } from './edit-history.ts'
import type { Edit } from './editing.ts'
import type { Marking } from './marking.ts'
import { copyOf } from './new-slide.ts'
import { removedOf, type SortOrder } from './slide-list.ts'
import { canComeBack, mostSlides } from './slides.ts'
import { focusSelectedSlide, type StripDeeds } from './strip-slide.tsx'

export function useEditorDeeds({
  state,
  dispatch,
  marking,
  isLocked,
  ownsFiles,
}: {
  state: Editing
  dispatch: Dispatch<Edit>
  marking: Marking
  isLocked: boolean
  /** Files lie with the session, so that a copy would lose its picture with the original. */
  ownsFiles: boolean
}) {
  const [said, setSaid] = useState('')
  const { slides, past, future } = state

  const undo = () => {
    dispatch({ type: 'undo' })
    setSaid(`Undone: ${past.at(-1)?.deed ?? 'nothing'}`)
  }
  const redo = () => {
    dispatch({ type: 'redo' })
    setSaid(`Done again: ${future[0]?.deed ?? 'nothing'}`)
  }
  /** With what is marked, where it is among it. */
  const withMarked = (key: string) => (marking.keys.has(key) ? marking.keys : new Set([key]))

  const move = (key: string, to: number, { isRepeat } = { isRepeat: false }) => {
    if (isLocked || to < 0 || to >= slides.length) return
    const keys = withMarked(key)
    // Where several go, the place is counted without them.
    const before = slides.slice(0, to).filter((slide) => keys.has(slide.key)).length
    dispatch({ type: 'move', keys, to: keys.size === 1 ? to : Math.max(0, to - before), isRepeat })
    setSaid(
      keys.size === 1
        ? `The slide is at place ${to + 1} of ${slides.length}`
        : `${countSlides(keys.size)} moved`,
    )
  }
  const moveMarked = (where: 'start' | 'end') => {
    if (isLocked) return
    dispatch({ type: 'move', keys: marking.keys, to: where === 'start' ? 0 : slides.length })
    setSaid(`${countSlides(marking.keys.size)} moved to the ${where}`)
  }
  const remove = (keys: ReadonlySet<string>) => {
    if (isLocked) return
    const removed = removedOf(slides, keys)
    dispatch({ type: 'remove', keys })
    const left = countSlides(slides.length - removed.length)
    setSaid(
      removed.length === 1
        ? `The slide is removed, ${left} left`
        : `${countSlides(removed.length)} removed, ${left} left`,
    )
    showToast({
      text:
        removed.length === 1 ? 'The slide is removed.' : `${removed.length} slides are removed.`,
      action: {
        label: removed.length === 1 ? 'Bring it back' : 'Bring them back',
        run: () => dispatch({ type: 'bring back', removed }),
      },
    })
  }
  const duplicate = (keys: ReadonlySet<string>) => {
    if (isLocked) return
    const chosen = slides.filter((slide) => keys.has(slide.key))
    const can = chosen.filter((slide) => !ownsFiles || canComeBack(slide))
    const copied = can.slice(0, Math.max(0, mostSlides - slides.length))
    dispatch({
      type: 'duplicate',
      copies: new Map(copied.map((slide) => [slide.key, copyOf(slide)])),
    })
    setSaid(`${countSlides(copied.length)} duplicated`)
    if (copied.length < can.length)
      showToast({ text: `A session holds ${mostSlides} slides.`, isFailure: true })
    else if (can.length < chosen.length)
      showToast({
        text: 'A picture that came with an import cannot be duplicated.',
        isFailure: true,
      })
  }
  const sort = (order: SortOrder) => {
    if (isLocked) return
    dispatch({ type: 'sort', order })
    setSaid(`The slides are sorted by ${order}`)
  }

  const strip = useStripDeeds({
    state,
    dispatch,
    marking,
    remove: (key) => remove(withMarked(key)),
  })
  return {
    said,
    strip,
    move,
    moveMarked,
    remove,
    duplicate,
    sort,
    undo: past.length > 0 && !isLocked ? undo : null,
    redo: future.length > 0 && !isLocked ? redo : null,
  }
}

/** Made once: they look up what is now when they are called. */
function useStripDeeds(now: {
  state: Editing
  dispatch: Dispatch<Edit>
  marking: Marking
  remove: (key: string) => void
}): StripDeeds {
  const latest = useRef(now)
  useEffect(() => {
    latest.current = now
  })
  return useMemo(
    () => ({
      press(key, { isToggle, isReach }) {
        const { dispatch, marking, state } = latest.current
        if (isReach && state.selectedKey !== null) marking.reach(state.selectedKey, key)
        else if (isToggle || marking.isChoosing) marking.toggle(key)
        dispatch({ type: 'select', key })
      },
      step(key, step, { isReach }) {
        const { dispatch, marking, state } = latest.current
        const next = neighbourOf(state, key, step)
        if (next === undefined) return
        if (isReach) marking.reach(key, next)
        dispatch({ type: 'select', key: next })
        focusSelectedSlide()
      },
      remove(key) {
        latest.current.remove(key)
        focusSelectedSlide()
      },
      markAll: () => latest.current.marking.all(),
      clearMarks: () => latest.current.marking.clear(),
    }),
    [],
  )
}

function neighbourOf(
  { slides }: Editing,
  key: string,
  step: 1 | -1 | 'first' | 'last',
): string | undefined {
  if (step === 'first') return slides[0]?.key
  if (step === 'last') return slides.at(-1)?.key
  const place = slides.findIndex((slide) => slide.key === key) + step
  return place < 0 ? undefined : slides[place]?.key
}
