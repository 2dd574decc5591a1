/** Enqueues captions of a session's first slides before they are shown. */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import type { Call } from '../../../http/route.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { listSlidesToCaption, requireReadable, stillOf } from '../../sessions/sessions.ts'
import type { SlideToCaption } from '../../sessions/sessions.ts'
import { refuseUnverified, refuseWithoutProvider } from '../caption-problems.ts'
import { prewarmSlides } from '../jobs.ts'
import { forSession } from './playback.ts'

const firstSlides = 5

export async function prewarmSession(ctx: Context, call: Call<typeof api.captions.prewarm>) {
  refuseWithoutProvider(ctx)
  const { user, body } = call
  const session = await requireReadable(ctx, call, body.sessionId)
  const seesAll = user.ageVerified || session.userId === user.id
  const slides = await listSlidesToCaption(ctx, session.id)
  const chosen = slides
    .filter(({ nsfw }) => seesAll || !nsfw)
    .slice(0, firstSlides)
    .filter(isBare)
  refuseUnverified(user, forSession(ctx, session, { title: null, subfeed: null }).voice)
  for (const slide of chosen) refuseUnverified(user, forSession(ctx, session, slide).voice)
  const mediaIds = chosen.map(({ id }) => id)
  if (mediaIds.length > 0)
    await enqueue(ctx, prewarmSlides, { sessionId: session.id, ownerId: session.userId, mediaIds })
  return { queued: mediaIds.length }
}

function isBare(slide: SlideToCaption): boolean {
  return (slide.caption ?? '') === '' && stillOf(slide) !== null
}
