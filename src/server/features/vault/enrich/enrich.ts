/**
 * Examines vault files: the real type, the displayed size, thumbnails, perceptual hashes and embedded
 * text (contract, sections 1.4 and 2).
 */
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { withPictureBudget } from '../../../media/picture.ts'
import { isOutage } from '../../../platform/outage.ts'
import { FileMissing } from '../../../platform/storage/storage.ts'
import {
  announceFile,
  claimFiles,
  recordOrigins,
  removeFiles,
  writeAnnounced,
} from '../../files/files.ts'
import { promiseRenditions } from '../../renditions/renditions.ts'
import { ownFile, thumbnailKey } from '../media-files.ts'
import { characterNameOf } from './character-name.ts'
import { makeDisplayFile, unfitReasonOf } from './display-file.ts'
import type { Findings, StoredMedia, Try } from './enrich-queries.ts'
import {
  beginEnrichment,
  completeEnrichment,
  endTry,
  findMedia,
  lockTry,
} from './enrich-queries.ts'
import type { Examined } from './examine-media.ts'
import { examineMedia } from './examine-media.ts'

export const maxTries = 3

/**
 * Makes one try if one is due. Throws if the try is to be repeated soon. Returns 'postponed' in an
 * outage, which does not count as a try.
 */
export async function enrich(ctx: Context, mediaId: number): Promise<'done' | 'postponed'> {
  const media = await beginEnrichment(ctx, mediaId)
  if (!media) return 'done'
  const attempt = { id: media.id, number: media.enrichmentTries }
  try {
    await keepFindings(ctx, media, attempt)
  } catch (error) {
    if (isOutage(error)) {
      await endTry(ctx, attempt, { status: 'pending', counts: false, reason: null })
      return 'postponed'
    }
    const isLast = attempt.number >= maxTries
    const status = isLast ? 'failed' : 'pending'
    const end = { status, counts: true, reason: reasonOf(error) } as const
    // The item was deleted during the try, so a missing file is no failure.
    if (!(await endTry(ctx, attempt, end))) return 'done'
    if (!isLast) throw error
    ctx.log.warn(
      { event: 'enrichment_failed', err: error, mediaId },
      'failed to enrich a vault file, giving up',
    )
  }
  return 'done'
}

async function keepFindings(ctx: Context, media: StoredMedia, attempt: Try): Promise<void> {
  const original = ownFile(media.filePath)
  const examined = await withPictureBudget(async () => {
    const examined = await examineMedia(ctx, original)
    await makeDisplayFile(ctx, media)
    return examined
  })
  const thumbnails = examined.thumbnails.map(({ width, bytes }) => ({
    file: ownFile(thumbnailKey(media, width)),
    bytes,
  }))
  const files = thumbnails.map(({ file }) => file)
  // All tries write to the same keys. A try that has lost the item must not announce them again: the
  // sweep would then delete files that another try has claimed.
  const isOurs = await atomically(ctx, async (ctx) => {
    if (!(await lockTry(ctx, attempt))) return false
    for (const file of files) await announceFile(ctx, file)
    return true
  })
  if (!isOurs) return
  try {
    for (const { file, bytes } of thumbnails) await writeAnnounced(ctx, file, bytes)
    const isKept = await atomically(ctx, async (ctx) => {
      if (!(await completeEnrichment(ctx, attempt, findingsOf(media, examined)))) return false
      await claimFiles(ctx, files)
      for (const file of files) await recordOrigins(ctx, file, [original])
      await promiseRenditions(ctx, 'vault', [media.id])
      return true
    })
    if (!isKept && (await findMedia(ctx, [media.id])).length === 0) await removeFiles(ctx, files)
  } catch (error) {
    await removeFiles(ctx, files)
    throw error
  }
}

function findingsOf(media: StoredMedia, examined: Examined): Findings {
  const { title, posterMissing } = examined
  return {
    ...examined,
    thumbnailWidths: examined.thumbnails.map(({ width }) => width),
    characterName: characterNameOf({ ...media, title }),
    metadata: {
      ...(title === null ? {} : { title }),
      ...(posterMissing === null ? {} : { posterMissing }),
    },
  }
}

/** Returns the reason that the record stores, without details of the machine. */
function reasonOf(error: unknown): string {
  const isMissing = error instanceof FileMissing
  return unfitReasonOf(error) ?? (isMissing ? 'the file is missing' : 'unexpected')
}
