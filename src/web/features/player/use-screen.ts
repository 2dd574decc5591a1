/** The whole screen: taking it, and making it dark at once. */
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { Playback } from './playback.ts'

export function toggleFullScreen(): void {
  // Refused where a page may not have the screen; the player then stays as large as its window.
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
  else document.documentElement.requestFullscreen?.().catch(() => {})
}

const titleInTheDark = 'Untitled'

/**
 * The way into the dark. It does not wait for a rendering: the screen is black when the key that
 * asked for it has been handled.
 */
export function useBlackout(playback: Playback, isDark: boolean, closeSheets: () => void) {
  const title = useRef('')
  const close = useRef(closeSheets)
  useLayoutEffect(() => {
    close.current = closeSheets
  })

  useEffect(() => {
    if (!isDark) return
    const light = (event: Event) => {
      event.preventDefault()
      playback.commands.lightUp()
    }
    // The finger that asked for the dark is still on the screen; the next one brings the light.
    document.addEventListener('click', light, { capture: true })
    return () => {
      document.removeEventListener('click', light, { capture: true })
      delete document.documentElement.dataset['blackout']
      document.title = title.current
    }
  }, [isDark, playback])

  return useCallback(() => {
    document.documentElement.dataset['blackout'] = ''
    title.current = document.title
    document.title = titleInTheDark
    playback.commands.blackOut()
    close.current()
  }, [playback])
}
