/**
 * Shows a playlist on an element: what the show says is put on the stage, and what happens on the
 * stage is told to the show. Player, frames and rooms use it; they differ in what moves their shows.
 */
import { slidesToPrepare } from '../engine/look-ahead.ts'
import { holdAsPicture, learnLength, setSlides } from '../engine/show-slides.ts'
import * as shows from '../engine/show.ts'
import type { StagePlaylist } from '../playlist.ts'
import { createStage, type StageLook } from './stage.ts'
import type { TransitionName } from './transitions.ts'

export type Projection = {
  readonly read: () => shows.Show
  readonly change: (step: (show: shows.Show) => shows.Show) => void
  readonly look: () => StageLook
  readonly transition: () => TransitionName
  /** How long a video is shown as a picture where the browser does not play it. */
  readonly pictureHoldMs: (index: number) => number
  /** A slide did not come, or broke off while it was shown. */
  readonly failed: (index: number) => void
  /** Another slide is on; the change takes this long. */
  readonly turned: (transitionMs: number) => void
  readonly silenced: () => void
}

/** The slide that is on and the two after it are decoded; of three more the files are fetched. */
const framesHeld = 3
const filesAhead = 5

export function createProjector(
  host: HTMLElement,
  playlist: StagePlaylist,
  projection: Projection,
) {
  const { read, change, failed, silenced } = projection
  const stage = createStage(
    host,
    playlist,
    {
      ready: (index) => change((show) => shows.markReady(show, index)),
      failed,
      released: (index) => change((show) => shows.markReleased(show, index)),
      ended: (index) => change((show) => shows.markEnded(show, index)),
      length: (index, ms) => change((show) => learnLength(show, index, ms)),
      silenced,
      refused: (index) =>
        change((show) => holdAsPicture(show, index, projection.pictureHoldMs(index))),
    },
    () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  )
  let turn = 0
  let shownLook = ''

  return {
    /** Has the stage do what the show says; to be called after each change. */
    follow(): void {
      const show = read()
      const look = projection.look()
      if (JSON.stringify(look) !== shownLook) stage.setLook(look)
      shownLook = JSON.stringify(look)
      if (show.turn !== turn) {
        turn = show.turn
        projection.turned(stage.turnTo(show, projection.transition()))
      }
      stage.setRunning(shows.isTicking(show))
      const near = slidesToPrepare(show, filesAhead)
      // A show that nobody has begun, as in a frame of another site, loads no more than it needs.
      const later = show.isRunning ? near.slice(framesHeld) : []
      stage.prepare(near.slice(0, framesHeld), later)
    },
    /** Goes on with other slides; the one that is on stays, if it is still among them. */
    setPlaylist(next: StagePlaylist): void {
      const ready = stage.setPlaylist(next)
      change((show) => setSlides(show, next.slides, ready))
    },
    failPending: stage.failPending,
    describe: stage.describe,
    lookCloser: stage.lookCloser,
    close: stage.close,
  }
}
