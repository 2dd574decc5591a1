/** The shortcut keys of a review, ignored while the user types or holds a modifier key. */
import { useEffect } from 'react'
import type { ReportAction } from './report-naming.ts'

const actionsByKey: Readonly<Record<string, ReportAction>> = {
  d: 'dismiss',
  r: 'remove',
  b: 'remove_and_block',
}

const stepsByKey: Readonly<Record<string, 1 | -1>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

type Actions = {
  readonly onMove: (step: 1 | -1) => void
  readonly onLook: () => void
  /** Only chooses the action: the button that then has the focus performs it. */
  readonly onChoose: (action: ReportAction) => void
}

export function useReviewKeys(actions: Actions) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (isTyping(event.target)) return
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
      const step = stepsByKey[key]
      const action = actionsByKey[key]
      if (step) actions.onMove(step)
      else if (action) actions.onChoose(action)
      else if (key === ' ' && !isControl(event.target)) actions.onLook()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  })
}

function isTyping(target: EventTarget | null): boolean {
  return isWithin(target, 'input, select, textarea, [role=dialog], [role=menu]')
}

/** True for elements on which the space key already has a function. */
function isControl(target: EventTarget | null): boolean {
  return isWithin(target, 'button, a, summary, video')
}

function isWithin(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null
}
