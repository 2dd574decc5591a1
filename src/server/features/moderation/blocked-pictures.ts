/** Pictures that were taken down for good, known again by their perceptual hash (contract 10). */
import type { Context } from '../../context.ts'
import type { Picture } from '../images/picture.ts'

/** Nothing is blocked yet: the list comes with the reports that fill it, and is asked here. */
export async function isBlockedPicture(_ctx: Context, _picture: Picture): Promise<boolean> {
  return false
}
