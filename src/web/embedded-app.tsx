/** The application in a frame on another site: a player, and none of the other pages. */
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

/** The controls keep the focus where it is; keys reach the frame only once it has it. */
function useKeysOfFrame() {
  useEffect(() => {
    const focus = () => window.focus()
    document.addEventListener('pointerdown', focus)
    return () => document.removeEventListener('pointerdown', focus)
  }, [])
}

/** For the router, in place of the address bar: the frame stays where it is. */
function locationOutside(): [path: string, navigate: (path: string) => void] {
  return [location.pathname, openOutside]
}

function openOutside(path: string): void {
  window.open(path, '_blank', 'noopener')
}
