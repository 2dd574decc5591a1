/**
 * Shows a playlist on an element. It applies the state of the show to the stage, and reports events of
 * the stage to the show. The player, frames and rooms use it; each controls its show in its own way.
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
  /** Returns the time for which a video is shown as a picture if the browser does not play it. */
  readonly pictureHoldMs: (index: number) => number
  /** Called when a slide fails to load, or fails while it is shown. */
  readonly failed: (index: number) => void
  /** Called at each change of slide, with the duration of the transition. */
  readonly turned: (transitionMs: number) => void
  readonly silenced: () => void
}

/** The current slide and the two after it are decoded. The files of three more are prefetched. */
const framesHeld = 3
const filesAhead = 5

export function createProjector(
  host: HTMLElement,
  playlist: StagePlaylist,
  projection: Projection,
) {
  const { read, change, failed, silenced } = projection
  const stage = createStage(host, playlist, {
    ready: (index) => change((show) => shows.markReady(show, index)),
    failed,
    released: (index) => change((show) => shows.markReleased(show, index)),
    ended: (index) => change((show) => shows.markEnded(show, index)),
    length: (index, ms) => change((show) => learnLength(show, index, ms)),
    silenced,
    refused: (index) =>
      change((show) => holdAsPicture(show, index, projection.pictureHoldMs(index))),
  })
  let turn = 0
  let shownLook = ''

  return {
    /** Applies the state of the show to the stage. Call it after each change. */
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
      // A paused show, such as an embed before its start, prefetches nothing.
      const later = show.isRunning ? near.slice(framesHeld) : []
      stage.prepare(near.slice(0, framesHeld), later)
    },
    /** Switches to other slides. The current slide stays if it is still among them. */
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
