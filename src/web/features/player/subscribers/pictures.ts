/** Follows a show with the pictures themselves: what is on the screen, what is loaded next, what has failed. */
import { slidesToPrepare } from '../engine/look-ahead.ts'
import * as shows from '../engine/show.ts'
import { createNetwork } from '../outside/network.ts'
import { isSilent, type PlaybackState, type Playing } from '../playback-state.ts'
import { createStage, type StageLook } from '../stage/stage.ts'

const slidesAhead = 2

/** Gives what ends it, and the way to look closer at what is on the screen. */
export function subscribePictures({ playlist, store, change }: Playing, host: HTMLElement) {
  const network = createNetwork({
    lost: () => stage.failPending(),
    back: () => {
      store.update({ isOffline: false })
      change(shows.askAgain)
    },
  })
  const stage = createStage(
    host,
    playlist,
    {
      ready: (index) => change((show) => shows.markReady(show, index)),
      failed: (index) => void judge(index),
      released: (index) => change((show) => shows.markReleased(show, index)),
      ended: (index) => change((show) => shows.markEnded(show, index)),
      length: (index, ms) => change((show) => shows.learnLength(show, index, ms)),
      silenced: () => store.update({ isSilenced: true }),
    },
    () => matchMedia('(prefers-reduced-motion: reduce)').matches,
  )
  let turn = 0
  let shownLook = ''

  /** A slide is broken only if the site is reached: without a network none would come. */
  async function judge(index: number): Promise<void> {
    change((show) => shows.markMissing(show, index))
    if (!(await network.isReached())) return store.update({ isOffline: true })
    change((show) => (show.missing.has(index) ? shows.markBroken(show, index) : show))
  }

  function follow(): void {
    const state = store.read()
    const { show, transition, words } = state
    const look = lookOf(state)
    if (JSON.stringify(look) !== shownLook) stage.setLook(look)
    shownLook = JSON.stringify(look)
    if (show.turn !== turn) {
      turn = show.turn
      store.update({ transitionMs: stage.turnTo(show, transition) })
    }
    stage.describe(words.text)
    stage.setRunning(shows.isTicking(show))
    stage.prepare(slidesToPrepare(show, slidesAhead))
  }

  const unsubscribe = store.subscribe(follow)
  follow()
  return {
    lookCloser: stage.lookCloser,
    close: () => {
      unsubscribe()
      network.close()
      stage.close()
    },
  }
}

function lookOf(state: PlaybackState): StageLook {
  const { isFilling, hasDrift, volume } = state.preferences
  return { isFilling, hasDrift, volume, isMuted: isSilent(state), speed: state.show.speed }
}
