/** The application in a frame on another site: a player, and none of the other pages. */
import { lazy } from 'react'
import { Router } from 'wouter'
import { locationOutside } from './embedding.ts'
import { WholeScreen } from './frame/framed.tsx'

const EmbeddedShow = lazy(() =>
  import('./features/player/embedded-show.tsx').then((show) => ({ default: show.EmbeddedShow })),
)

export function EmbeddedApp() {
  return (
    <Router hook={locationOutside}>
      <WholeScreen>
        <EmbeddedShow />
      </WholeScreen>
    </Router>
  )
}
