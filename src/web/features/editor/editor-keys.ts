/**
 * The keyboard shortcuts of the editor. Fields that the editor does not manage keep the browser's own undo.
 */
import { useEffect, useRef } from 'react'

export type EditorKeys = {
  readonly undo: () => void
  readonly redo: () => void
  readonly save: () => void
  /** Moves the selected slide by one position, repeatedly while the key is held. */
  readonly move: (step: 1 | -1, how: { readonly isRepeat: boolean }) => void
}

export function useEditorKeys(keys: EditorKeys) {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A dialog over the editor handles its own keys.
      if (document.querySelector('[data-dialog]') !== null) return
      const action = actionOf(event, latest.current)
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function actionOf(event: KeyboardEvent, keys: EditorKeys): (() => void) | null {
  const isTyping =
    event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
  const isForeign =
    isTyping && event.target instanceof HTMLElement && !('undoable' in event.target.dataset)
  const key = event.key.toLowerCase()
  if (event.ctrlKey || event.metaKey) {
    if (key === 's') return keys.save
    if (isForeign) return null
    if (key === 'z') return event.shiftKey ? keys.redo : keys.undo
    return key === 'y' ? keys.redo : null
  }
  if (!event.altKey || isTyping) return null
  const isRepeat = event.repeat
  if (key === 'arrowup' || key === 'arrowleft') return () => keys.move(-1, { isRepeat })
  if (key === 'arrowdown' || key === 'arrowright') return () => keys.move(1, { isRepeat })
  return null
}
