/** Follows a show with its pictures: shows the current one, loads the next ones, and handles failures. */
import { askLinkEnd } from '../../sharing/link-end.ts'
import { holdMsOf } from '../engine/schedule.ts'
import * as shows from '../engine/show.ts'
import { createNetwork } from '../outside/network.ts'
import { isSilent, type PlaybackState, type Playing } from '../playback-state.ts'
import { createProjector } from '../stage/projector.ts'
import type { StageLook } from '../stage/stage.ts'

/** Returns functions to end the subscription and to load the original of the current picture. */
export function subscribePictures({ playlist, store, change }: Playing, host: HTMLElement) {
  const network = createNetwork({
    lost: () => projector.failPending(),
    back: () => {
      store.update({ isOffline: false })
      change(shows.askAgain)
    },
  })
  const projector = createProjector(host, playlist, {
    read: () => store.read().show,
    change,
    look: () => lookOf(store.read()),
    transition: () => store.read().transition,
    pictureHoldMs: (index) => {
      const slide = playlist.slides[index]
      return slide ? holdMsOf(slide, store.read().pace) : 0
    },
    failed: (index) => void judge(index),
    turned: (transitionMs) => store.update({ transitionMs }),
    silenced: () => store.update({ isSilenced: true }),
  })

  /** Marks a slide as broken only if the site can be reached: without a network, every slide fails. */
  async function judge(index: number): Promise<void> {
    change((show) => shows.markMissing(show, index))
    if (!(await network.isReached())) return store.update({ isOffline: true })
    if (await stopIfLinkEnded()) return
    change((show) => (show.missing.has(index) ? shows.markBroken(show, index) : show))
  }

  /**
   * Stops the show if the share link has ended. Every file fails then, and the slide is not the cause.
   * Returns true if it has ended.
   */
  async function stopIfLinkEnded(): Promise<boolean> {
    const linkEnd = await askLinkEnd(playlist.headers)
    if (linkEnd === null) return false
    store.update({ linkEnd })
    change(shows.pause)
    return true
  }

  let wasOver = false
  function follow(): void {
    const { isOver } = store.read().show
    if (isOver && !wasOver) void stopIfLinkEnded()
    wasOver = isOver
    projector.follow()
    projector.describe(store.read().words.text)
  }

  const unsubscribe = store.subscribe(follow)
  follow()
  return {
    lookCloser: projector.lookCloser,
    close: () => {
      unsubscribe()
      network.close()
      projector.close()
    },
  }
}

function lookOf(state: PlaybackState): StageLook {
  const { isFilling, hasDrift, volume } = state.preferences
  return { isFilling, hasDrift, volume, isMuted: isSilent(state), speed: state.show.speed }
}
