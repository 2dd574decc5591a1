/**
 * Captions a whole session in the background. Credits are charged when the job is created. Progress is
 * recorded for each slide, and slides not done at the end are refunded once.
 */
import type { api } from '../../../../contract/api.ts'
import { problems } from '../../../../contract/problems.ts'
import type { Context } from '../../../context.ts'
import { Problem, problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { spendAnd } from '../../credits/credits.ts'
import { listSlidesToCaption, requireOwn, stillOf } from '../../sessions/sessions.ts'
import type { SlideToCaption } from '../../sessions/sessions.ts'
import { refuseUnverified, refuseWithoutProvider } from '../caption-problems.ts'
import { captionSlides } from '../jobs.ts'
import { forSession } from '../playback/playback.ts'
import { findOwnJob, insertJob } from './job-queries.ts'

export async function captionSession(
  ctx: Context,
  { user, body, settle }: Call<typeof api.captions.captionSession>,
) {
  const session = await requireOwn(ctx, user.id, body.sessionId)
  const all = await listSlidesToCaption(ctx, session.id)
  const meant = meantSlides(all, body.mediaIds ?? null)
  refuseUnverified(user, forSession(ctx, session, { title: null, subfeed: null }).voice)
  for (const slide of meant) refuseUnverified(user, forSession(ctx, session, slide).voice)
  refuseWithoutProvider(ctx)
  const slides = refuseUnfit(meant, body.mediaIds ?? [])
  const total = slides.length
  return settle((ctx) =>
    spendAnd(
      ctx,
      user.id,
      {
        featureKey: 'caption_batch_rewrite',
        description: `Captions for “${session.title}”`,
        quantity: total,
        metadata: { sessionId: session.id },
      },
      async (ctx, { debitId, charged }) => {
        const job = {
          id: ctx.newId(),
          userId: user.id,
          sessionId: session.id,
          steering: body.steering ?? null,
          debitId,
          creditsEach: charged / total,
        }
        await insertJob(
          ctx,
          job,
          slides.map(({ id }) => id),
        )
        await enqueue(ctx, captionSlides, { jobId: job.id })
        return { jobId: job.id, total }
      },
    ),
  )
}

export async function readJob(ctx: Context, { user, params }: Call<typeof api.captions.readJob>) {
  const job = await findOwnJob(ctx, params.id, user.id)
  if (!job) throw problem.jobNotFound()
  return job
}

/** Returns the named slides, or all slides without a caption. */
function meantSlides(
  slides: readonly SlideToCaption[],
  mediaIds: readonly number[] | null,
): SlideToCaption[] {
  const wanted = mediaIds && new Set(mediaIds)
  return slides.filter(({ id, caption }) => wanted?.has(id) ?? (caption ?? '').trim() === '')
}

/** Returns the slides with a picture. Throws if a named slide does not exist. */
function refuseUnfit(
  meant: readonly SlideToCaption[],
  mediaIds: readonly number[],
): SlideToCaption[] {
  if (mediaIds.some((id) => !meant.some((slide) => slide.id === id))) throw problem.mediaNotFound()
  const visible = meant.filter((slide) => stillOf(slide) !== null)
  if (visible.length > 0) return visible
  throw new Problem(problems.validationFailed, {
    message: 'Validation failed: the session has no slides to caption',
  })
}
