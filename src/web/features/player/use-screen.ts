/** Full screen and blackout. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Playback } from './playback.ts'
import { words } from './words.ts'

/** True when the browser allows full screen. Some phones do not; the control is hidden there. */
export function canFullScreen(): boolean {
  return document.fullscreenEnabled
}

export function toggleFullScreen(): void {
  if (!canFullScreen()) return
  // If the browser refuses, the player keeps the size of its window.
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
  else document.documentElement.requestFullscreen().catch(() => {})
}

/** The shortest blackout. A startled viewer presses twice or hits other keys; that must not end it. */
const darkAtLeastMs = 700

/**
 * Starts and ends the blackout. It does not wait for a React render: the screen is black when the key
 * handler returns.
 */
export function useBlackout(playback: Playback, isDark: boolean, closeSheets: () => void) {
  const title = useRef('')
  const sinceMs = useRef(0)
  const close = useRef(closeSheets)
  useLayoutEffect(() => {
    close.current = closeSheets
  })

  const lightUp = useCallback(() => {
    if (performance.now() - sinceMs.current >= darkAtLeastMs) playback.commands.lightUp()
  }, [playback])

  useEffect(() => {
    if (!isDark) return
    const light = (event: Event) => {
      event.preventDefault()
      event.stopPropagation()
      lightUp()
    }
    // The fingers that started the blackout are still on the screen. The next click ends it.
    document.addEventListener('click', light, { capture: true })
    return () => {
      document.removeEventListener('click', light, { capture: true })
      delete document.documentElement.dataset['blackout']
      document.title = title.current
    }
  }, [isDark, lightUp])

  const blackOut = useCallback(() => {
    if (playback.read().isBlackedOut) return
    document.documentElement.dataset['blackout'] = ''
    title.current = document.title
    document.title = words.untitled
    sinceMs.current = performance.now()
    playback.commands.blackOut()
    close.current()
  }, [playback])
  return useMemo(() => ({ blackOut, lightUp }), [blackOut, lightUp])
}
