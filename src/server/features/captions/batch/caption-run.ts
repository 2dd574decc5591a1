/**
 * Writes captions for a session, a few slides in each run, so that many sessions progress at the same
 * time.
 */
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { problem } from '../../../http/problem.ts'
import { endAbandoned, renewLease } from '../../../leases/lease.ts'
import { isOutage } from '../../../platform/outage.ts'
import { refund } from '../../credits/credits.ts'
import {
  storeAiCaption,
  listSlidesToCaption,
  findOwn,
  stillOf,
  emitEvent,
} from '../../sessions/sessions.ts'
import type { SlideToCaption } from '../../sessions/sessions.ts'
import type { PictureMessages } from '../caption-pictures.ts'
import { readCaptionPicture } from '../caption-pictures.ts'
import { forSession } from '../playback/playback.ts'
import { CaptionFailed } from '../provider/caption-provider.ts'
import { writeAbout } from '../write-about.ts'
import type { CaptionJob } from './job-queries.ts'
import {
  beginRun,
  countSlides,
  deleteEndedJobs,
  endJob,
  failWaiting,
  findStuckJobs,
  findWaiting,
  leaseOf,
  setSlideState,
} from './job-queries.ts'

const slidesInRun = 5
/** A provider that fails this often in a row is down. The remaining slides fail and are refunded. */
const maxFailuresInRow = 3
const keptMs = 7 * 24 * 3600 * 1000

type Session = NonNullable<Awaited<ReturnType<typeof findOwn>>>

const words: PictureMessages = {
  field: 'slide',
  animation: () => problem.animationNotSupported(),
}

/** Returns true when slides remain for another run. */
export async function runCaptions(ctx: Context, jobId: string): Promise<boolean> {
  const run = ctx.newId()
  const job = await beginRun(ctx, jobId, run)
  if (!job) return false
  const session = await findSession(ctx, job)
  const waiting = session ? await findWaiting(ctx, job.id) : []
  let failuresInRow = 0
  for (const mediaId of waiting.slice(0, slidesInRun)) {
    if (!session || failuresInRow >= maxFailuresInRow) break
    const slides = await listSlidesToCaption(ctx, session.id)
    const outcome = await captionOf(ctx, job, session, slides, mediaId)
    failuresInRow = outcome === 'provider down' ? failuresInRow + 1 : 0
    const written = typeof outcome === 'object' ? outcome : null
    if (!(await recordSlide(ctx, { job, run, sessionId: session.id, mediaId, written })))
      return false
  }
  const isDown = failuresInRow >= maxFailuresInRow
  if (session && !isDown && waiting.length > slidesInRun) return true
  await finish(ctx, job.id)
  return false
}

/** Ends jobs that no worker will end, and deletes old ones. */
export async function sweepCaptionJobs(ctx: Context): Promise<void> {
  await endAbandoned(ctx, await findStuckJobs(ctx), (jobId) => finish(ctx, jobId))
  await deleteEndedJobs(ctx, new Date(ctx.now().getTime() - keptMs))
}

/** Returns null when the session no longer exists. */
async function findSession(ctx: Context, { sessionId, userId }: CaptionJob) {
  return sessionId === null ? null : findOwn(ctx, userId, sessionId)
}

type Written = {
  readonly caption: string
  /** False for adult slides and voices: people other than the owner receive the event too. */
  readonly isForAll: boolean
}

type Outcome = Written | 'failed' | 'provider down'

async function captionOf(
  ctx: Context,
  job: CaptionJob,
  session: Session,
  slides: readonly SlideToCaption[],
  mediaId: number,
): Promise<Outcome> {
  const index = slides.findIndex(({ id }) => id === mediaId)
  const slide = slides[index]
  const address = slide && stillOf(slide)
  if (!slide || !address) return 'failed'
  const { voice, material } = forSession(ctx, session, slide)
  const captions = slides.map(({ caption }) => caption ?? '')
  try {
    const picture = await readCaptionPicture(ctx, address, words)
    const caption = await writeAbout(ctx, picture, {
      purpose: 'manual',
      voice,
      material: {
        ...material,
        sessionTitle: session.title,
        position: { index, total: slides.length },
        previousCaptions: captions.slice(0, index),
        nextCaptions: captions.slice(index + 1),
        steering: job.steering,
      },
    })
    return { caption, isForAll: !voice.isAdult && !slide.nsfw }
  } catch (error) {
    // An outage is not the slide's fault; the job's retry captions it.
    if (isOutage(error)) throw error
    ctx.log.warn({ event: 'caption_failed', err: error, mediaId }, 'failed to caption a slide')
    const isDown = error instanceof CaptionFailed && !['policy', 'minor'].includes(error.fault)
    return isDown ? 'provider down' : 'failed'
  }
}

/** Returns false when another worker has taken over the job. */
async function recordSlide(
  ctx: Context,
  slide: {
    job: CaptionJob
    run: string
    sessionId: number
    mediaId: number
    written: Written | null
  },
): Promise<boolean> {
  const { job, run, sessionId, mediaId, written } = slide
  return atomically(ctx, async (ctx) => {
    if (!(await renewLease(ctx, leaseOf(job.id, run)))) return false
    const target = { sessionId, mediaId }
    const isKept = written !== null && (await storeAiCaption(ctx, target, written.caption))
    await setSlideState(ctx, { jobId: job.id, mediaId }, isKept ? 'done' : 'failed')
    const figures = await countSlides(ctx, job.id)
    const words = isKept && written.isForAll ? { caption: written.caption } : {}
    await emitEvent(ctx, sessionId, 'caption', { jobId: job.id, mediaId, ...words, ...figures })
    return true
  })
}

/** Ends the job and refunds its failed slides, once. */
async function finish(ctx: Context, jobId: string): Promise<void> {
  await atomically(ctx, async (ctx) => {
    await failWaiting(ctx, jobId)
    const figures = await countSlides(ctx, jobId)
    const status = figures.done > 0 ? 'completed' : 'failed'
    const job = await endJob(ctx, jobId, status)
    if (!job) return
    const back = figures.failed * job.creditsEach
    if (job.debitId !== null && back > 0)
      await refund(ctx, job.debitId, 'Slides that could not be captioned', back)
    if (job.sessionId !== null)
      await emitEvent(ctx, job.sessionId, 'done', { jobId, status, ...figures })
  })
}
