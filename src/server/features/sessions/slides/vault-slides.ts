/** Slides that show files of the vault: they go when their file does, and their sessions close up. */
import type { Context } from '../../../context.ts'
import { recountSlides } from './slide-queries.ts'
import {
  closeGaps,
  deleteSlidesShowing,
  dropThumbnail,
  lockSessionsShowing,
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
