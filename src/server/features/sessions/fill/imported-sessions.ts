/** Sessions that come whole from elsewhere, with files of their own. */
import type { Context } from '../../../context.ts'
import { promiseRenditions } from '../../renditions/renditions.ts'
import type { SlideView } from '../queries.ts'
import type { NewSlide } from '../slides/slide-columns.ts'
import { deleteSlide, insertSlides, recountSlides } from '../slides/slide-queries.ts'
import { closeGaps, dropThumbnail } from '../slides/vault-slide-queries.ts'
import type { ImportedSession, OwnMedia, SkippedMedia } from './imported-queries.ts'
import { insertImportedSession, insertSkipped, updateSlideMedia } from './imported-queries.ts'

/** Under an id that was taken before, because the files' names hold it. */
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

type SlidePlace = { readonly sessionId: number; readonly mediaId: number }

/**
 * In a transaction that holds the session. To whoever edits it nothing has changed: the slide is the
 * same, and so is what it shows.
 */
export async function giveOwnMedia(
  ctx: Context,
  { sessionId, mediaId }: SlidePlace,
  media: OwnMedia,
): Promise<SlideView | null> {
  const slide = await updateSlideMedia(ctx, mediaId, media)
  await promiseRenditions(ctx, 'slides', [mediaId])
  await recountSlides(ctx, sessionId, { isEdit: false })
  return slide
}

/**
 * In a transaction that holds the session: the slide leaves it with the pictures at `urls`, and is
 * named among the skipped.
 */
export async function skipSlide(
  ctx: Context,
  { sessionId, mediaId }: SlidePlace,
  urls: readonly string[],
  skipped: SkippedMedia,
): Promise<void> {
  await deleteSlide(ctx, { sessionId, slideId: mediaId })
  await closeGaps(ctx, sessionId)
  await dropThumbnail(ctx, sessionId, urls)
  await insertSkipped(ctx, sessionId, [skipped])
  await recountSlides(ctx, sessionId)
}
