/** Requests the first picture of a show before the player renders. */
import { readLastSlide } from '../outside/last-slide.ts'
import { readPreferences } from '../outside/preferences.ts'
import type { Playlist } from '../playlist.ts'
import { pictureAddress } from './picture-address.ts'

/** Requests the picture only if the show starts at its first slide; else the request would be wasted. */
export function askForFirstPicture({ slides, pace }: Playlist): void {
  const { isShuffled, isFilling } = readPreferences()
  const [first] = slides
  const isUsual = !isShuffled && location.search === '' && readLastSlide(pace.seed) === null
  if (!first || first.isMoving || !isUsual) return
  const picture = new Image()
  picture.fetchPriority = 'high'
  picture.src = pictureAddress(first, {
    widthPx: innerWidth * devicePixelRatio,
    heightPx: innerHeight * devicePixelRatio,
    isFilling,
  })
}
