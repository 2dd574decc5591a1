/** Writes the captions of a session's first slides before anyone looks at them. */
import type { Context } from '../../../context.ts'
import { forEachLimit } from '../../../platform/concurrency/semaphore.ts'
import { isOutage } from '../../../platform/outage.ts'
import { findOwn, listSlidesToCaption, emitEvent } from '../../sessions/sessions.ts'
import { captionSlide, forSession } from './playback.ts'

const slidesAtOnce = 2

/** A slide that fails is asked for again when it is shown; what is written is told to listeners. */
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
      // Says nothing of the slide: the job's next try captions it.
      if (isOutage(error)) throw error
      ctx.log.warn(
        { event: 'prewarm_failed', err: error, mediaId: slide.id },
        'a slide could not be prewarmed',
      )
      return null
    })
    const { voice } = forSession(session, slide)
    if (caption === null || voice.isAdult || slide.nsfw) return
    await emitEvent(ctx, session.id, 'caption', { mediaId: slide.id, caption })
  })
}
