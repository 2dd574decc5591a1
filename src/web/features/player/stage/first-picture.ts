/** Asks for the picture that a show begins with while the player is still to be drawn. */
import { readPlace } from '../outside/last-place.ts'
import { readPreferences } from '../outside/preferences.ts'
import type { Playlist } from '../playlist.ts'
import { pictureAddress } from './picture-address.ts'

/** Only where it begins as usual: another slide would be asked for in vain. */
export function askForFirstPicture({ slides, pace }: Playlist): void {
  const { isShuffled, isFilling } = readPreferences()
  const [first] = slides
  const isUsual = !isShuffled && location.search === '' && readPlace(pace.seed) === null
  if (!first || first.isMoving || !isUsual) return
  const picture = new Image()
  picture.fetchPriority = 'high'
  picture.src = pictureAddress(first, {
    widthPx: innerWidth * devicePixelRatio,
    heightPx: innerHeight * devicePixelRatio,
    isFilling,
  })
}
