/** The whole screen: taking it, and making it dark at once. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Playback } from './playback.ts'
import { words } from './words.ts'

/** Phones that keep their screen to themselves are not offered it. */
export function canFullScreen(): boolean {
  return document.fullscreenEnabled
}

export function toggleFullScreen(): void {
  if (!canFullScreen()) return
  // Refused where a page may not have the screen; the player then stays as large as its window.
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
  else document.documentElement.requestFullscreen().catch(() => {})
}

/** Whoever is startled hits twice, and beside the key: so soon nothing brings the light back. */
const darkAtLeastMs = 700

/**
 * The way into the dark and out of it. It does not wait for a rendering: the screen is black when
 * the key that asked for it has been handled.
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
    // The finger that asked for the dark is still on the screen; the next one brings the light.
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
