/**
 * Handles a press on a file. It opens the file, or selects it with a modifier key, in the selection mode, or
 * after a long press.
 */
import { type MouseEvent, type PointerEvent, useRef } from 'react'
import type { VaultFile } from '../../uploads/page-uploads.ts'
import type { Marking } from '../editor/marking.ts'

const longPressMs = 450
/** A touch that moves further is a scroll. */
const steadyPx = 10

export function usePress({
  files,
  marking,
  onActive,
}: {
  files: readonly VaultFile[]
  marking: Marking
  onActive: (id: number) => void
}) {
  const anchor = useRef<string | null>(null)
  const touch = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const isTaken = useRef(false)
  const stop = () => {
    if (touch.current) clearTimeout(touch.current.timer)
    touch.current = null
  }

  function choose(id: number, { isReaching }: { isReaching: boolean }) {
    const key = String(id)
    if (isReaching) marking.reach(anchor.current ?? String(files[0]?.id), key)
    else marking.toggle(key)
    anchor.current = key
  }

  return {
    // In the capture phase: the link inside would otherwise be followed.
    onClickCapture(event: MouseEvent<HTMLElement>) {
      const id = fileAt(event.target)
      if (id === null) return
      onActive(id)
      const isSwitch = event.target instanceof Element && event.target.closest('button') !== null
      const isModified = event.ctrlKey || event.metaKey
      if (!isTaken.current && !isSwitch && !isModified && !event.shiftKey && !marking.isChoosing)
        return
      event.preventDefault()
      event.stopPropagation()
      if (!isTaken.current) choose(id, { isReaching: event.shiftKey })
      isTaken.current = false
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      isTaken.current = false
      const id = fileAt(event.target)
      if (event.pointerType !== 'touch' || id === null) return
      const { clientX: x, clientY: y } = event
      const timer = setTimeout(() => {
        isTaken.current = true
        choose(id, { isReaching: false })
      }, longPressMs)
      touch.current = { timer, x, y }
    },
    onPointerMove({ clientX, clientY }: PointerEvent<HTMLElement>) {
      if (!touch.current) return
      const { x, y } = touch.current
      if (Math.hypot(clientX - x, clientY - y) > steadyPx) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu(event: MouseEvent<HTMLElement>) {
      if (isTaken.current) event.preventDefault()
    },
  }
}

function fileAt(target: EventTarget): number | null {
  const cell = target instanceof Element ? target.closest('[data-file]') : null
  return cell instanceof HTMLElement ? Number(cell.dataset['file']) : null
}
