/**
 * Plays the pictures of a frame in an endless loop. A picture that fails to load is skipped and retried in
 * the next round. If all fail, all are retried later.
 */
import { conduct } from '../player/engine/conductor.ts'
import * as shows from '../player/engine/show.ts'
import type { PlaylistSlide, StagePlaylist } from '../player/playlist.ts'
import { createProjector } from '../player/stage/projector.ts'
import { stagePlaylistOf } from './frame-slides.ts'
import type { FramePlaylist, FrameSettings } from './frames-client.ts'

export type FrameShow = {
  show(playlist: FramePlaylist): void
  /** Stops playing and loading in quiet hours. */
  setResting(isResting: boolean): void
  close(): void
}

const tryAgainMs = 30_000
/** Muted, because no user has asked for sound. */
const look = { isFilling: false, hasDrift: false, isMuted: true, volume: 1, speed: 1 }

export function createFrameShow(
  host: HTMLElement,
  onSlide: (slide: PlaylistSlide | null) => void,
): FrameShow {
  let shown: FramePlaylist | null = null
  let isResting = false
  /** The id of the last slide: after quiet hours the next one follows. */
  let afterId: number | null = null
  let wall: ReturnType<typeof openWall> | null = null

  function update(): void {
    const playlist = shown ? stagePlaylistOf(shown) : null
    if (!shown || !playlist || isResting || playlist.slides.length === 0) return rest()
    if (wall) wall.setPlaylist(playlist, shown.settings)
    else wall = openWall(host, playlist, shown.settings, { afterId, onSlide: remember })
  }

  function remember(slide: PlaylistSlide): void {
    afterId = slide.id
    onSlide(slide)
  }

  function rest(): void {
    wall?.close()
    wall = null
    onSlide(null)
  }

  return {
    show(playlist) {
      shown = playlist
      update()
    },
    setResting(resting) {
      if (resting === isResting) return
      isResting = resting
      update()
    },
    close: rest,
  }
}

function openWall(
  host: HTMLElement,
  first: StagePlaylist,
  firstSettings: FrameSettings,
  { afterId, onSlide }: { afterId: number | null; onSlide: (slide: PlaylistSlide) => void },
) {
  let playlist = first
  let settings = firstSettings
  let timer: ReturnType<typeof setTimeout> | undefined
  let round = 0
  const { slides } = first
  const conductor = conduct(
    shows.beginShow({
      slides,
      startIndex: (slides.findIndex(({ id }) => id === afterId) + 1) % slides.length,
      // A new order after each reload, so that the end of a long playlist is shown too.
      seed: String(Math.random()),
      isByHand: false,
      isLooping: true,
      isShuffled: settings.shuffle,
    }),
  )
  const { read, change } = conductor
  const projector = createProjector(host, playlist, {
    read,
    change,
    look: () => look,
    transition: () => settings.transition,
    pictureHoldMs: () => settings.intervalSeconds * 1000,
    failed: (index) => change((show) => shows.markBroken(show, index)),
    turned: () => {
      const slide = playlist.slides[shows.shownIndex(read()) ?? -1]
      if (slide) onSlide(slide)
    },
    silenced: () => {},
  })

  function follow(): void {
    projector.follow()
    const show = read()
    if (show.round !== round) {
      round = show.round
      change(shows.askAgain)
    }
    clearTimeout(timer)
    if (show.isOver) timer = setTimeout(() => change(shows.play), tryAgainMs)
  }

  conductor.subscribe(follow)
  const stop = conductor.start()
  return {
    setPlaylist(next: StagePlaylist, nextSettings: FrameSettings): void {
      settings = nextSettings
      change((show) => ({ ...show, isShuffled: settings.shuffle }))
      playlist = next
      projector.setPlaylist(next)
    },
    close(): void {
      clearTimeout(timer)
      stop()
      projector.close()
    },
  }
}
