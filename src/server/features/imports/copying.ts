/**
 * Copies the remote media of imported slides into own files, some slides in each run. Each slide is
 * finished in a separate transaction, so a later run continues where a crashed worker stopped. Files of
 * unfinished slides are unclaimed, so the sweep deletes them.
 */
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { releaseLease } from '../../leases/lease.ts'
import { forEachLimit } from '../../platform/concurrency/semaphore.ts'
import { isOutage } from '../../platform/outage.ts'
import { claimFiles, filesOf, originsOf, recordCopies, removeFiles } from '../files/files.ts'
import type { CopiedMedia } from '../intake/intake.ts'
import { copyMedia, CopyRefused } from '../intake/intake.ts'
import {
  findSkipped,
  attachOwnMedia,
  lockSession,
  skipSlide,
  emitEvent,
} from '../sessions/sessions.ts'
import type { SkippedMedia } from '../sessions/sessions.ts'
import { ownFile, sessionFolder } from '../vault/vault.ts'
import { isHiddenSession } from '../visibility/visibility.ts'
import type { Copying, SlideToCopy } from './queries.ts'
import {
  beginCopying,
  beginSlide,
  countMediaToCopy,
  endSlide,
  findMediaToCopy,
  uncountTry,
  isNewestRun,
  leaseOf,
} from './queries.ts'
import type { SilentHosts } from './silent-hosts.ts'
import { createSilentHosts } from './silent-hosts.ts'
import { codeOfFault, skipped } from './skip-reasons.ts'

// Few, so that a long import does not delay short ones of others.
const slidesARun = 24
const slidesAtOnce = 3
const progressSteps = 25
const maxTries = 5

/** Copies some slides. `isDone` is true when none are left, or when another run continues with them. */
export async function runCopying(ctx: Context, sessionId: number): Promise<{ isDone: boolean }> {
  const copying = await beginCopying(ctx, sessionId)
  // A session under review is not changed: the sweep resumes the import later.
  if (!copying || (await isHiddenSession(ctx, sessionId))) return { isDone: true }
  const mediaIds = await findMediaToCopy(ctx, copying, slidesARun)
  const run = { copying, silentHosts: createSilentHosts() }
  await forEachLimit(mediaIds, slidesAtOnce, (mediaId) => copySlide(ctx, run, mediaId))
  const isDone = await atomically(ctx, (ctx) => endImport(ctx, copying))
  return { isDone }
}

type Run = { readonly copying: Copying; readonly silentHosts: SilentHosts }

async function copySlide(ctx: Context, run: Run, mediaId: number): Promise<void> {
  if (ctx.stopping.aborted) throw new Error('The node stops; another goes on')
  const slide = await beginSlide(ctx, run.copying, mediaId)
  if (!slide) return
  try {
    await copyAndFinish(ctx, run, slide)
  } catch (error) {
    if (isOutage(error)) await uncountTry(ctx, mediaId)
    throw error
  }
}

async function copyAndFinish(ctx: Context, run: Run, slide: SlideToCopy): Promise<void> {
  const outcome =
    slide.tries > maxTries
      ? skipped(slide.mediaUrl, 'interrupted')
      : await copyOrSkip(ctx, run, slide)
  const files = 'file' in outcome ? filesOf([outcome]) : []
  try {
    const isKept = await atomically(ctx, (ctx) => finishSlide(ctx, run.copying, slide, outcome))
    if (!isKept) await removeFiles(ctx, files)
  } catch (error) {
    await removeFiles(ctx, files)
    throw error
  }
}

async function copyOrSkip(
  ctx: Context,
  { copying, silentHosts }: Run,
  slide: SlideToCopy,
): Promise<CopiedMedia | SkippedMedia> {
  const { mediaUrl } = slide
  if (silentHosts.has(mediaUrl)) return skipped(mediaUrl, 'unreachable')
  try {
    const copied = await copyOnce(ctx, copying, slide).catch((error: unknown) => {
      if (!(error instanceof CopyRefused) || error.fault !== 'unreachable') throw error
      return copyOnce(ctx, copying, slide)
    })
    silentHosts.note(mediaUrl, null)
    return copied
  } catch (error) {
    if (!(error instanceof CopyRefused)) throw error
    silentHosts.note(mediaUrl, error.fault)
    return skipped(mediaUrl, codeOfFault[error.fault])
  }
}

/**
 * Copies to a key that is unique for each try, so that concurrent copies of a slide do not overwrite each
 * other.
 */
function copyOnce(ctx: Context, { userId, sessionId }: Copying, slide: SlideToCopy) {
  const key = `${sessionFolder(userId, sessionId)}${slide.mediaId}-${ctx.newId()}`
  return copyMedia(ctx, slide, ownFile(key))
}

/** Returns false when the slide, session or account is deleted or hidden, or another run was faster. */
async function finishSlide(
  ctx: Context,
  copying: Copying,
  { mediaId, mediaUrl, thumbnail }: SlideToCopy,
  outcome: CopiedMedia | SkippedMedia,
): Promise<boolean> {
  const { sessionId, total } = copying
  // Lock the session first, in the same order as edits, to prevent deadlocks.
  if (!(await lockSession(ctx, sessionId))) return false
  // Reported during the copy: the new file would not be hidden, and the slide must stay as it was
  // reported.
  if (await isHiddenSession(ctx, sessionId)) return false
  const left = await endSlide(ctx, copying, mediaId)
  if (left === null) return false
  if ('file' in outcome) await showCopy(ctx, { sessionId, mediaId }, outcome)
  else {
    const urls = thumbnail === null ? [mediaUrl] : [mediaUrl, thumbnail]
    await skipSlide(ctx, { sessionId, mediaId }, urls, outcome)
    await emitEvent(ctx, sessionId, 'skipped', { mediaId, ...outcome })
  }
  const done = total - left
  if (done % Math.ceil(total / progressSteps) === 0 || left === 0)
    await emitEvent(ctx, sessionId, 'importing', { done, total })
  return true
}

async function showCopy(
  ctx: Context,
  slide: { readonly sessionId: number; readonly mediaId: number },
  copied: CopiedMedia,
): Promise<void> {
  const { file, thumbnail, type, width, height, perceptualHashes } = copied
  const shown = await attachOwnMedia(ctx, slide, {
    mediaUrl: mediaUrlOf(ctx, file),
    thumbnail: thumbnail && mediaUrlOf(ctx, thumbnail),
    type,
    width,
    height,
    ownFileKey: file.key,
    ownThumbnailKey: thumbnail?.key ?? null,
    perceptualHashes,
  })
  await claimFiles(ctx, filesOf([copied]))
  await recordCopies(ctx, originsOf([copied]))
  await emitEvent(ctx, slide.sessionId, 'media', { ...shown })
}

/** Ends the import. Returns false while slides are left for the next run. */
async function endImport(ctx: Context, copying: Copying): Promise<boolean> {
  const session = await lockSession(ctx, copying.sessionId)
  if (!session) return true
  // If two runs both continued, they would overtake each other until all slides had too many tries.
  if (!(await isNewestRun(ctx, copying))) return true
  if ((await countMediaToCopy(ctx, session.id)) > 0) return false
  if (await releaseLease(ctx, leaseOf(copying))) await emitImported(ctx, session)
  return true
}

/** Emits the end of an import. Call it in the transaction after which nothing is left to copy. */
export async function emitImported(
  ctx: Context,
  session: { readonly id: number; readonly mediaCount: number },
): Promise<void> {
  const skippedCount = (await findSkipped(ctx, session.id)).length
  await emitEvent(ctx, session.id, 'imported', { mediaCount: session.mediaCount, skippedCount })
}
