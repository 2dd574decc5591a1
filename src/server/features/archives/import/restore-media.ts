/**
 * Stores a picture or video of an archive as a session's own file. It is checked like an upload, loses
 * its camera metadata, and is refused if it was taken down permanently.
 */
import type { z } from 'zod'
import { problems } from '../../../../contract/problems.ts'
import type { skippedMedia } from '../../../../contract/session-records.ts'
import type { Context } from '../../../context.ts'
import { Problem } from '../../../http/problem.ts'
import type { MediaKind } from '../../../media/media-kind.ts'
import { kindOfType, typeOfKind } from '../../../media/media-kind.ts'
import { UnfitPicture } from '../../../media/picture.ts'
import { UnfitVideo } from '../../../media/video.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { peek, removeFiles, storeUnclaimed } from '../../files/files.ts'
import { storeDisplayable } from '../../intake/intake.ts'
import { isBlockedHash } from '../../moderation/moderation.ts'
import { examineMedia, ownFile } from '../../vault/vault.ts'
import type { MediaType } from '../../vault/vault.ts'

export type Skipped = z.input<typeof skippedMedia>
type SkipCode = Skipped['code']

/** An entry that is left out of an import. It does not fail the import. */
export class SkippedEntry extends Error {
  override name = 'SkippedEntry'
  readonly code: SkipCode

  constructor(code: SkipCode, reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.code = code
  }
}

export function takenDown(): SkippedEntry {
  return new SkippedEntry(
    'blocked',
    'It was taken down from this site and cannot be uploaded again',
  )
}

/** Files in the storage that are announced in the file ledger and not claimed yet. */
export type RestoredMedia = {
  readonly file: FileAddress
  readonly thumbnail: FileAddress | null
  readonly type: MediaType
  readonly width: number
  readonly height: number
  readonly perceptualHashes: readonly string[]
}

const widestThumbnail = 640

/**
 * Stores and examines one file. `base` is the key without an extension; the content decides the
 * extension. Fails with SkippedEntry.
 */
export async function restoreMedia(
  ctx: Context,
  content: AsyncIterable<Uint8Array>,
  base: string,
  declared: MediaType,
): Promise<RestoredMedia> {
  const { kind, whole } = await requireMedia(content, declared)
  const file = ownFile(`${base}.${kind.extension}`)
  try {
    await storeUnclaimed(ctx, file, whole)
    await storeDisplayable(ctx, file, () => file)
    const { width, height, thumbnails, perceptualHashes } = await examineMedia(ctx, file)
    if (await isBlockedHash(ctx, perceptualHashes)) throw takenDown()
    const small = thumbnails.findLast(({ width }) => width <= widestThumbnail)
    const thumbnail = small ? ownFile(`${base}-${small.width}.webp`) : null
    if (small && thumbnail) await storeUnclaimed(ctx, thumbnail, small.bytes)
    return { file, thumbnail, type: declared, width, height, perceptualHashes }
  } catch (error) {
    await removeFiles(ctx, [file])
    throw explainUnfit(error)
  }
}

/**
 * Checks by its first bytes that the content is a picture or video of the declared type. No person sees
 * an imported file before it is stored.
 */
export async function requireMedia(
  content: AsyncIterable<Uint8Array>,
  declared: MediaType | null,
): Promise<{ kind: MediaKind; whole: AsyncIterable<Uint8Array> }> {
  const { mimeType, content: whole } = await peek(content)
  const kind = kindOfType(mimeType)
  if (kind && (declared === null || typeOfKind(kind) === declared)) return { kind, whole }
  await whole[Symbol.asyncIterator]().return?.()
  throw new SkippedEntry(
    'not_media',
    kind ? 'Its content does not match its type' : 'It is not a picture or a video',
  )
}

export function explainUnfit(error: unknown): unknown {
  if (error instanceof Problem && error.failure === problems.quotaExceeded)
    return new SkippedEntry('over_quota', 'There is not enough space left in your storage', {
      cause: error,
    })
  if (!(error instanceof UnfitPicture || error instanceof UnfitVideo)) return error
  return new SkippedEntry('unreadable', 'It cannot be shown', { cause: error })
}
