/**
 * Slides that show files of the vault: they go when their file does, and their sessions close up; and
 * they are adult from when their file is marked so.
 */
import type { Context } from '../../../context.ts'
import { recountSlides } from './slide-queries.ts'
import {
  closeGaps,
  deleteSlidesShowing,
  dropThumbnail,
  keepTrashedCover,
  lockSessionsShowing,
  markSlidesShowing,
  restoreCover,
  setTrashed,
} from './vault-slide-queries.ts'

/** Until the transaction ends nobody edits the sessions that show these files. */
export async function holdSessionsShowing(
  ctx: Context,
  mediaIds: readonly number[],
): Promise<void> {
  await lockSessionsShowing(ctx, mediaIds)
}

/** In the transaction that deletes the files. */
export async function forgetVaultSlides(ctx: Context, mediaIds: readonly number[]): Promise<void> {
  for (const sessionId of await lockSessionsShowing(ctx, mediaIds)) {
    const shown = await deleteSlidesShowing(ctx, sessionId, mediaIds)
    await closeGaps(ctx, sessionId)
    await dropThumbnail(ctx, sessionId, shown)
    await recountSlides(ctx, sessionId)
  }
}

/**
 * In the transaction that puts the file in the trash, or brings it back: its slides keep their places.
 * It is no edit of their sessions, which are shown by another slide meanwhile.
 */
export async function setSlidesTrashed(
  ctx: Context,
  mediaId: number,
  { inTrash }: { readonly inTrash: boolean },
): Promise<void> {
  for (const sessionId of await lockSessionsShowing(ctx, [mediaId])) {
    const shown = await setTrashed(ctx, sessionId, mediaId, inTrash)
    if (shown.length === 0) continue
    if (inTrash) {
      await keepTrashedCover(ctx, sessionId, mediaId, shown)
      await dropThumbnail(ctx, sessionId, shown)
    } else await restoreCover(ctx, sessionId, mediaId)
    await recountSlides(ctx, sessionId, { isEdit: false })
  }
}

/** In the transaction that marks the file. No session is shown by it any more, whoever chose it. */
export async function markVaultSlidesAdult(ctx: Context, mediaId: number): Promise<void> {
  for (const sessionId of await lockSessionsShowing(ctx, [mediaId])) {
    const shown = await markSlidesShowing(ctx, sessionId, mediaId)
    if (shown.length === 0) continue
    await dropThumbnail(ctx, sessionId, shown)
    await recountSlides(ctx, sessionId)
  }
}
