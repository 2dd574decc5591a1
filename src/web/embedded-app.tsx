/** The application in a frame on another site: a player, and none of the other pages. */
import { Router } from 'wouter'
import { PlayEmbeddedPage } from './features/player/play-page.tsx'
import { WholeScreen } from './frame/framed.tsx'

export function EmbeddedApp() {
  return (
    <Router hook={locationOutside}>
      <WholeScreen>
        <PlayEmbeddedPage />
      </WholeScreen>
    </Router>
  )
}

/** For the router, in place of the address bar: the frame stays where it is. */
function locationOutside(): [path: string, navigate: (path: string) => void] {
  return [location.pathname, openOutside]
}

function openOutside(path: string): void {
  window.open(path, '_blank', 'noopener')
}
