/**
 * When the controls are there: they come with any movement and leave after a while without, unless
 * the show stands still or someone is on them.
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

  // Once the show goes on, they stay for their usual while.
  useEffect(count, [mustStay, count])

  const isShown = isAwake || mustStay
  const shown = useRef(isShown)
  useLayoutEffect(() => {
    shown.current = isShown
  })
  // It stays the same function, so that fingers that are down when the controls leave are not lost.
  const toggle = useCallback(() => (shown.current ? sleep() : wake()), [sleep, wake])
  return useMemo(() => ({ isShown, wake, toggle }), [isShown, wake, toggle])
}

/** Hovered with a mouse, or reached by the keyboard. */
function isInUse(): boolean {
  const isHovered =
    matchMedia('(hover: hover)').matches && document.querySelector('.player-bar:hover')
  return Boolean(isHovered) || document.querySelector('.player-bar :focus-visible') !== null
}
