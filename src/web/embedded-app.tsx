/** The application in a frame on another site: only the player. */
import { useEffect } from 'react'
import { Router } from 'wouter'
import { PlayEmbeddedPage } from './features/player/play-page.tsx'
import { WholeScreen } from './frame/whole-screen.tsx'

export function EmbeddedApp() {
  useKeysOfFrame()
  return (
    <Router hook={locationOutside}>
      <WholeScreen>
        <PlayEmbeddedPage />
      </WholeScreen>
    </Router>
  )
}

/**
 * Focuses the frame on a press. The player's controls do not take the focus, and keys reach only a focused
 * frame.
 */
function useKeysOfFrame() {
  useEffect(() => {
    const focus = () => window.focus()
    document.addEventListener('pointerdown', focus)
    return () => document.removeEventListener('pointerdown', focus)
  }, [])
}

/** The router's location: the frame keeps its address, and links open in a new tab. */
function locationOutside(): [path: string, navigate: (path: string) => void] {
  return [location.pathname, openOutside]
}

function openOutside(path: string): void {
  window.open(path, '_blank', 'noopener')
}
