/**
 * Slides that show vault files. They are deleted with their file, and become adult when it is marked
 * adult.
 */
import type { Context } from '../../../context.ts'
import { recountSlides } from './slide-queries.ts'
import {
  renumberSlides,
  deleteSlidesShowing,
  dropThumbnail,
  keepTrashedCover,
  lockSessionsShowing,
  markSlidesShowing,
  restoreCover,
  setTrashed,
} from './vault-slide-queries.ts'

/** Locks the sessions that show these files, so that they cannot be edited until the transaction ends. */
export async function lockShowingSessions(
  ctx: Context,
  mediaIds: readonly number[],
): Promise<void> {
  await lockSessionsShowing(ctx, mediaIds)
}

/** Runs in the transaction that deletes the files. */
export async function forgetVaultSlides(ctx: Context, mediaIds: readonly number[]): Promise<void> {
  for (const sessionId of await lockSessionsShowing(ctx, mediaIds)) {
    const shown = await deleteSlidesShowing(ctx, sessionId, mediaIds)
    await renumberSlides(ctx, sessionId)
    await dropThumbnail(ctx, sessionId, shown)
    await recountSlides(ctx, sessionId)
  }
}

/**
 * Runs in the transaction that moves the file to the trash or restores it. Its slides keep their
 * positions. This is no edit of their sessions, which meanwhile use another slide as their thumbnail.
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

/**
 * Runs in the transaction that marks the file as adult. It is removed as a thumbnail, even if the owner
 * chose it.
 */
export async function markVaultSlidesAdult(ctx: Context, mediaId: number): Promise<void> {
  for (const sessionId of await lockSessionsShowing(ctx, [mediaId])) {
    const shown = await markSlidesShowing(ctx, sessionId, mediaId)
    if (shown.length === 0) continue
    await dropThumbnail(ctx, sessionId, shown)
    await recountSlides(ctx, sessionId)
  }
}
