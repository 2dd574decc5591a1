/** Writes the captions of a session's first slides before they are shown. */
import type { Context } from '../../../context.ts'
import { forEachLimit } from '../../../platform/concurrency/semaphore.ts'
import { isOutage } from '../../../platform/outage.ts'
import { findOwn, listSlidesToCaption, emitEvent } from '../../sessions/sessions.ts'
import { captionSlide, forSession } from './playback.ts'

const slidesAtOnce = 2

/** Writes captions and notifies listeners. A slide that fails is requested again when it is shown. */
export async function runPrewarm(
  ctx: Context,
  wanted: { sessionId: number; ownerId: string; mediaIds: readonly number[] },
): Promise<void> {
  const session = await findOwn(ctx, wanted.ownerId, wanted.sessionId)
  if (!session) return
  const slides = await listSlidesToCaption(ctx, session.id)
  const first = slides.filter(({ id }) => wanted.mediaIds.includes(id))
  await forEachLimit(first, slidesAtOnce, async (slide) => {
    const caption = await captionSlide(ctx, session, slide).catch((error: unknown) => {
      // An outage is not the slide's fault; the job's retry captions it.
      if (isOutage(error)) throw error
      ctx.log.warn(
        { event: 'prewarm_failed', err: error, mediaId: slide.id },
        'failed to prewarm the caption of a slide',
      )
      return null
    })
    const { voice } = forSession(ctx, session, slide)
    if (caption === null || voice.isAdult || slide.nsfw) return
    await emitEvent(ctx, session.id, 'caption', { mediaId: slide.id, caption })
  })
}
