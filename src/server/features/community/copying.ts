/**
 * Copies a frozen session's media into the storage, and then publishes all of it at once. If a worker
 * dies, only unclaimed files remain. The next run uses a folder of its own.
 */
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { endAbandoned, LeaseLost, renewLease } from '../../leases/lease.ts'
import { forEachLimit } from '../../platform/concurrency/semaphore.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import {
  abandonFiles,
  claimFiles,
  filesOf,
  originsOf,
  recordCopies,
  removeFiles,
} from '../files/files.ts'
import type { CopiedMedia } from '../intake/intake.ts'
import { copyCover, copyMedia, CopyRefused } from '../intake/intake.ts'
import { promiseRenditions } from '../renditions/renditions.ts'
import { lockSession, setShared, emitEvent } from '../sessions/sessions.ts'
import type { SnapshotSlide } from '../sessions/sessions.ts'
import type { Copying, PublishedSlide } from './copying-queries.ts'
import {
  beginCopying,
  endPublication,
  findStuckCopyings,
  leaseOf,
  showPublished,
} from './copying-queries.ts'
import type { FrozenSession } from './publication-queries.ts'
import { deleteCommunitySession, takeFileKeys } from './publication-queries.ts'

const slidesAtOnce = 3
const progressSteps = 25

export function publishedFile(key: string): FileAddress {
  return { bucket: 'general', key }
}

export async function runCopying(ctx: Context, publicationId: number): Promise<void> {
  const begun = await beginCopying(ctx, publicationId)
  if (!begun) return
  const { frozen, ...copying } = begun
  const work: Work = { copying, frozen, slides: [], cover: null }
  try {
    await copyAll(ctx, work)
    const replaced = await atomically(ctx, (ctx) => finish(ctx, work))
    await removeFiles(ctx, replaced)
  } catch (error) {
    await removeFiles(ctx, filesOf(madeBy(work)))
    if (!(error instanceof LeaseLost)) throw error
  }
}

/**
 * Fails a publication in a transaction that holds the session. An earlier publication stays, and stays
 * shared.
 */
export async function failPublication(
  ctx: Context,
  { number, ...copying }: Omit<Copying, 'number'> & { readonly number: number | null },
  reason: string,
): Promise<void> {
  const ended = await endPublication(ctx, copying, number)
  if (!ended) return
  if (ended.status === 'copying') await deleteCommunitySession(ctx, copying.communityId)
  if (ended.status !== 'published') await setShared(ctx, copying.sessionId, { isShared: false })
  await emitEvent(ctx, copying.sessionId, 'publish_failed', { reason })
}

/** Fails publications that no worker will finish. */
export async function failStuckCopyings(ctx: Context): Promise<void> {
  await endAbandoned(ctx, await findStuckCopyings(ctx), (stuck) =>
    atomically(ctx, async (ctx) => {
      await lockSession(ctx, stuck.sessionId)
      await failPublication(ctx, stuck, 'Publishing was interrupted')
    }),
  )
}

type Work = {
  readonly copying: Copying
  readonly frozen: FrozenSession
  /** The copies by the slide's position. Null if a slide could not be copied. */
  readonly slides: (CopiedMedia | null | undefined)[]
  cover: CopiedMedia | null
}

async function copyAll(ctx: Context, work: Work): Promise<void> {
  const { copying, frozen } = work
  const { slides, session } = frozen
  const folder = `community/${copying.communityId}/${copying.number}`
  const step = Math.ceil(slides.length / progressSteps)
  let done = 0
  // Emit events one after the other, so that progress never decreases.
  let emitted = Promise.resolve()
  await forEachLimit(slides.entries(), slidesAtOnce, async ([index, slide]) => {
    if (ctx.stopping.aborted) throw new Error('The node stops; another goes on')
    const file = publishedFile(`${folder}/${index}`)
    work.slides[index] = await copyMedia(ctx, slide, file).catch(leaveOut(ctx, file))
    if (!(await renewLease(ctx, leaseOf(copying)))) throw new LeaseLost()
    done += 1
    if (done % step > 0 && done < slides.length) return
    const progress = { done, total: slides.length }
    emitted = emitted.then(() => emitEvent(ctx, copying.sessionId, 'publishing', progress))
    await emitted
  })
  if (!frozen.thumbnailGiven || session.thumbnail === null) return
  const file = publishedFile(`${folder}/cover`)
  work.cover = await copyCover(ctx, session.thumbnail, file).catch(leaveOut(ctx, file))
}

function leaveOut(ctx: Context, { key }: FileAddress) {
  return (error: unknown): null => {
    if (!(error instanceof CopyRefused)) throw error
    ctx.log.info(
      { event: 'media_skipped', key, reason: error.message },
      'left media out of a publication',
    )
    return null
  }
}

/** Publishes the copies. Returns the abandoned files. */
async function finish(ctx: Context, work: Work): Promise<FileAddress[]> {
  const { copying, frozen, cover } = work
  // Lock the session first, as transactions that change the session do, to avoid a deadlock.
  await lockSession(ctx, copying.sessionId)
  const slides = frozen.slides.flatMap((slide, index) => copiedSlide(slide, work.slides[index]))
  if (slides.length === 0) {
    await failPublication(ctx, copying, 'None of its media could be copied')
    return abandonFiles(ctx, filesOf(madeBy(work)))
  }
  if (!(await endPublication(ctx, copying, copying.number))) throw new LeaseLost()
  const replaced = (await takeFileKeys(ctx, copying.communityId)).map(publishedFile)
  const first = slides.filter(hasThumbnail).toSorted((a, b) => Number(a.nsfw) - Number(b.nsfw))[0]
  const { thumbnail } = frozen.session
  const shown = {
    thumbnailKey: first?.thumbnailKey ?? null,
    coverKey: cover?.file.key ?? null,
    cover: thumbnail?.startsWith('/covers/') ? thumbnail : null,
  }
  const slideIds = await showPublished(ctx, copying.communityId, frozen, shown, slides)
  await promiseRenditions(ctx, 'published', slideIds)
  await claimFiles(ctx, filesOf(madeBy(work)))
  await recordCopies(ctx, originsOf(madeBy(work)))
  const gone = await abandonFiles(ctx, replaced)
  await emitEvent(ctx, copying.sessionId, 'published', { communityId: copying.communityId })
  return gone
}

function copiedSlide(
  slide: SnapshotSlide,
  copied: CopiedMedia | null | undefined,
): PublishedSlide[] {
  if (!copied) return []
  return [
    {
      ...slide,
      fileKey: copied.file.key,
      thumbnailKey: copied.thumbnail?.key ?? null,
      type: copied.type,
      perceptualHashes: copied.perceptualHashes,
      width: copied.width ?? slide.width,
      height: copied.height ?? slide.height,
    },
  ]
}

function hasThumbnail({ thumbnailKey }: PublishedSlide): boolean {
  return thumbnailKey !== null
}

function madeBy({ slides, cover }: Work): CopiedMedia[] {
  return [...slides, cover].filter((copied) => copied !== null && copied !== undefined)
}
