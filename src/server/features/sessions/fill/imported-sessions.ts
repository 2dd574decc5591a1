/** Sessions that are imported or copied whole, with files of their own. */
import type { Context } from '../../../context.ts'
import { promiseRenditions } from '../../renditions/renditions.ts'
import type { SlideView } from '../queries.ts'
import type { NewSlide } from '../slides/slide-columns.ts'
import { deleteSlide, insertSlides, recountSlides } from '../slides/slide-queries.ts'
import { renumberSlides, dropThumbnail } from '../slides/vault-slide-queries.ts'
import type { ImportedSession, OwnMedia, SkippedMedia } from './imported-queries.ts'
import { insertImportedSession, insertSkipped, updateSlideMedia } from './imported-queries.ts'

/** Inserts the session under a reserved id, which is already part of the names of its files. */
export async function insertImported(
  ctx: Context,
  session: ImportedSession,
  slides: readonly NewSlide[],
  skipped: readonly SkippedMedia[] = [],
): Promise<void> {
  await insertImportedSession(ctx, session)
  const ids = await insertSlides(ctx, session.id, slides)
  await promiseRenditions(ctx, 'slides', ids)
  if (skipped.length > 0) await insertSkipped(ctx, session.id, skipped)
  await recountSlides(ctx, session.id)
}

type SlideKey = { readonly sessionId: number; readonly mediaId: number }

/**
 * Gives a slide its own file, in a transaction that holds the session. This is no edit: the slide still
 * shows the same picture.
 */
export async function attachOwnMedia(
  ctx: Context,
  { sessionId, mediaId }: SlideKey,
  media: OwnMedia,
): Promise<SlideView | null> {
  const slide = await updateSlideMedia(ctx, mediaId, media)
  await promiseRenditions(ctx, 'slides', [mediaId])
  await recountSlides(ctx, sessionId, { isEdit: false })
  return slide
}

/**
 * Removes a slide and the thumbnail, if it is one of `urls`, in a transaction that holds the session.
 * Adds the slide to the skipped media.
 */
export async function skipSlide(
  ctx: Context,
  { sessionId, mediaId }: SlideKey,
  urls: readonly string[],
  skipped: SkippedMedia,
): Promise<void> {
  await deleteSlide(ctx, { sessionId, slideId: mediaId })
  await renumberSlides(ctx, sessionId)
  await dropThumbnail(ctx, sessionId, urls)
  await insertSkipped(ctx, sessionId, [skipped])
  await recountSlides(ctx, sessionId)
}
