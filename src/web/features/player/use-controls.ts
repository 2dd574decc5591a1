/**
 * The visibility of the controls. Any movement shows them. They hide after a while without movement,
 * unless the show is paused or the viewer is using them.
 */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'

export type Controls = ReturnType<typeof useControls>

const leaveAfterMs = 2500

export function useControls(mustStay: boolean) {
  const [isAwake, setIsAwake] = useState(true)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const count = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (!isInUse()) setIsAwake(false)
    }, leaveAfterMs)
  }, [])

  const wake = useCallback(() => {
    setIsAwake(true)
    count()
  }, [count])

  const sleep = useCallback(() => {
    clearTimeout(timer.current)
    setIsAwake(false)
  }, [])

  useEffect(() => {
    const onMove = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') wake()
    }
    document.addEventListener('pointermove', onMove)
    document.addEventListener('focusin', wake)
    document.addEventListener('focusout', count)
    return () => {
      clearTimeout(timer.current)
      document.removeEventListener('pointermove', onMove)
      document.removeEventListener('focusin', wake)
      document.removeEventListener('focusout', count)
    }
  }, [wake, count])

  // When the show resumes, the controls stay for the usual time.
  useEffect(count, [mustStay, count])

  const isShown = isAwake || mustStay
  const shown = useRef(isShown)
  useLayoutEffect(() => {
    shown.current = isShown
  })
  // A stable function: a new one would attach the gestures again and lose the fingers that are down.
  const toggle = useCallback(() => (shown.current ? sleep() : wake()), [sleep, wake])
  return useMemo(() => ({ isShown, wake, toggle }), [isShown, wake, toggle])
}

/** True while a bar is hovered with a mouse or focused by keyboard. */
function isInUse(): boolean {
  const isHovered =
    matchMedia('(hover: hover)').matches && document.querySelector('.player-bar:hover')
  return Boolean(isHovered) || document.querySelector('.player-bar :focus-visible') !== null
}
