/** Follows a show with the pictures themselves: what is on the screen, what is loaded next, what has failed. */
import { askLinkEnd } from '../../sharing/link-end.ts'
import { holdMsOf } from '../engine/schedule.ts'
import * as shows from '../engine/show.ts'
import { createNetwork } from '../outside/network.ts'
import { isSilent, type PlaybackState, type Playing } from '../playback-state.ts'
import { createProjector } from '../stage/projector.ts'
import type { StageLook } from '../stage/stage.ts'

/** Gives what ends it, and the way to look closer at what is on the screen. */
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

  /** A slide is broken only if the site is reached: without a network none would come. */
  async function judge(index: number): Promise<void> {
    change((show) => shows.markMissing(show, index))
    if (!(await network.isReached())) return store.update({ isOffline: true })
    if (await hasLinkEnded()) return
    change((show) => (show.missing.has(index) ? shows.markBroken(show, index) : show))
  }

  /** Every file of a link fails once it has ended: then it is the link that is judged. */
  async function hasLinkEnded(): Promise<boolean> {
    const linkEnd = await askLinkEnd(playlist.headers)
    if (linkEnd === null) return false
    store.update({ linkEnd })
    change(shows.pause)
    return true
  }

  let wasOver = false
  function follow(): void {
    const { isOver } = store.read().show
    if (isOver && !wasOver) void hasLinkEnded()
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
