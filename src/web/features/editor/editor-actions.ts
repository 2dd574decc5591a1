/**
 * The actions of the editor's controls. Each is announced to screen readers; a toast offers to undo a
 * removal.
 */
import { type Dispatch, useEffect, useMemo, useRef, useState } from 'react'
import { showToast } from '../../ui/toasts.tsx'
import type { Action, Editing } from './edit-history.ts'
import type { Edit } from './editing.ts'
import type { Marking } from './marking.ts'
import { copyOf } from './new-slide.ts'
import { removedOf, type SortOrder } from './slide-list.ts'
import { canComeBack, maxSlides } from './slides.ts'
import { focusSelectedSlide, type StripActions } from './strip-slide.tsx'
import { words } from './words.ts'

export function useEditorActions({
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
  /** True when files are stored with the session: a copied slide would lose its picture with the original. */
  ownsFiles: boolean
}) {
  const [said, setSaid] = useState('')
  const { slides, past, future } = state

  const undo = () => {
    const step = past.at(-1)
    if (!step) return
    dispatch({ type: 'undo' })
    setSaid(words.undone({ action: describeAction(step.action) }))
  }
  const redo = () => {
    const [step] = future
    if (!step) return
    dispatch({ type: 'redo' })
    setSaid(words.doneAgain({ action: describeAction(step.action) }))
  }
  /** Returns all marked slides if this slide is marked, else only this slide. */
  const withMarked = (key: string) => (marking.keys.has(key) ? marking.keys : new Set([key]))

  const move = (key: string, to: number, { isRepeat } = { isRepeat: false }) => {
    if (isLocked || to < 0 || to >= slides.length) return
    const keys = withMarked(key)
    // The target position of several slides does not count the moved slides.
    const before = slides.slice(0, to).filter((slide) => keys.has(slide.key)).length
    dispatch({ type: 'move', keys, to: keys.size === 1 ? to : Math.max(0, to - before), isRepeat })
    setSaid(
      keys.size === 1
        ? words.slideIsAt({ position: to + 1, total: slides.length })
        : words.countedActions.moved({ count: keys.size }),
    )
  }
  const moveMarked = (where: 'start' | 'end') => {
    if (isLocked) return
    dispatch({ type: 'move', keys: marking.keys, to: where === 'start' ? 0 : slides.length })
    setSaid(words.slidesMovedTo[where]({ count: marking.keys.size }))
  }
  const remove = (keys: ReadonlySet<string>) => {
    if (isLocked) return
    const removed = removedOf(slides, keys)
    dispatch({ type: 'remove', keys })
    const count = removed.length
    const left = words.slidesLeft({ count: slides.length - count })
    setSaid(words.slidesRemovedAndLeft({ count, left }))
    showToast({
      text: words.slidesRemoved({ count }),
      action: {
        label: words.bringBack({ count }),
        run: () => dispatch({ type: 'bring back', removed }),
      },
    })
  }
  const duplicate = (keys: ReadonlySet<string>) => {
    if (isLocked) return
    const chosen = slides.filter((slide) => keys.has(slide.key))
    const can = chosen.filter(
      (slide) => slide.mediaUrl !== '' && (!ownsFiles || canComeBack(slide)),
    )
    const copied = can.slice(0, Math.max(0, maxSlides - slides.length))
    dispatch({
      type: 'duplicate',
      copies: new Map(copied.map((slide) => [slide.key, copyOf(slide)])),
    })
    setSaid(words.slidesDuplicated({ count: copied.length }))
    if (copied.length < can.length)
      showToast({ text: words.sessionHolds({ count: maxSlides }), isFailure: true })
    else if (can.length < chosen.length)
      showToast({ text: words.importedNotDuplicated, isFailure: true })
  }
  const sort = (order: SortOrder) => {
    if (isLocked) return
    dispatch({ type: 'sort', order })
    setSaid(words.sortedBy[order])
  }

  const strip = useStripActions({
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

/** Returns a description such as 'slide moved' or '3 slides moved'. */
function describeAction(action: Action): string {
  return typeof action === 'string'
    ? words.actions[action]
    : words.countedActions[action.done](action)
}

/** Returns stable functions, which read the current state when they are called. */
function useStripActions(now: {
  state: Editing
  dispatch: Dispatch<Edit>
  marking: Marking
  remove: (key: string) => void
}): StripActions {
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
  const index = slides.findIndex((slide) => slide.key === key) + step
  return index < 0 ? undefined : slides[index]?.key
}
