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
  lockSessionsShowing,
  markSlidesShowing,
} from './vault-slide-queries.ts'

/** In the transaction that deletes the file. */
export async function forgetVaultSlides(ctx: Context, mediaId: number): Promise<void> {
  for (const sessionId of await lockSessionsShowing(ctx, mediaId)) {
    const shown = await deleteSlidesShowing(ctx, sessionId, mediaId)
    await closeGaps(ctx, sessionId)
    await dropThumbnail(ctx, sessionId, shown)
    await recountSlides(ctx, sessionId)
  }
}

/** In the transaction that marks the file. No session is shown by it any more, whoever chose it. */
export async function markVaultSlidesAdult(ctx: Context, mediaId: number): Promise<void> {
  for (const sessionId of await lockSessionsShowing(ctx, mediaId)) {
    const shown = await markSlidesShowing(ctx, sessionId, mediaId)
    if (shown.length === 0) continue
    await dropThumbnail(ctx, sessionId, shown)
    await recountSlides(ctx, sessionId)
  }
}
