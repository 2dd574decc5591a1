/** The display file of a vault item. It is made once and stored with the item. */
import { problems } from '../../../../contract/problems.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { Problem, problem } from '../../../http/problem.ts'
import { UnfitPicture } from '../../../media/picture.ts'
import { UnfitVideo } from '../../../media/video.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { FileMissing } from '../../../platform/storage/storage.ts'
import { claimFiles, recordOrigins, removeFiles } from '../../files/files.ts'
import { storeDisplayable } from '../../intake/intake.ts'
import { derivedFolder, ownFile } from '../media-files.ts'
import { findDisplayPath, setDisplayPath } from './enrich-queries.ts'

const unfitPicture = 'picture: '
const unfitVideo = 'video: '

export type DisplayedMedia = {
  readonly id: number
  readonly userId: string
  readonly filePath: string
  readonly displayPath: string | null
}

/**
 * Returns the display file as `makeDisplayFile` does, but does not examine an unfit file again. A file
 * can be crafted so that the examination takes seconds.
 */
export async function displayFile(
  ctx: Context,
  media: DisplayedMedia & { readonly enrichmentError: string | null },
): Promise<FileAddress> {
  if (media.displayPath === null && media.enrichmentError !== null)
    refuseAsBefore(media.enrichmentError)
  return makeDisplayFile(ctx, media)
}

/**
 * Returns the reason why a file cannot be shown, as stored with a try. Null if the error is not the
 * file's fault.
 */
export function unfitReasonOf(error: unknown): string | null {
  if (error instanceof UnfitPicture) return `${unfitPicture}${error.reason}`
  return error instanceof UnfitVideo ? `${unfitVideo}${error.reason}` : null
}

function refuseAsBefore(unfitness: string): void {
  const options = { cause: unfitness }
  if (unfitness.startsWith(unfitPicture)) throw new UnfitPicture('broken', options)
  if (unfitness.startsWith(unfitVideo)) throw new UnfitVideo('broken', options)
}

/**
 * Makes the display file. If the original contains nothing private, it is its own display file. Call it
 * outside a transaction: it may take seconds. Fails with UnfitPicture or UnfitVideo if the file cannot
 * be decoded.
 */
export async function makeDisplayFile(ctx: Context, media: DisplayedMedia): Promise<FileAddress> {
  if (media.displayPath !== null) return ownFile(media.displayPath)
  return ctx.turns.inTurn(`display-file/${media.id}`, async () => {
    const known = await findDisplayPath(ctx, media.id)
    if (known) return ownFile(known)
    const original = ownFile(media.filePath)
    const made = await storeDisplayable(ctx, original, (extension) =>
      ownFile(`${derivedFolder(media)}display-${ctx.newId()}.${extension}`),
    )
    return remember(ctx, media, original, made)
  })
}

/** Turns the reason why a file cannot be shown to others into a response. */
export function refuseUnshowable(error: unknown): never {
  if (error instanceof FileMissing) throw problem.mediaNotFound()
  if (!(error instanceof UnfitPicture || error instanceof UnfitVideo)) throw error
  throw new Problem(problems.validationFailed, {
    message: 'Validation failed: the file cannot be decoded, so it cannot be shown to others',
  })
}

async function remember(
  ctx: Context,
  { id }: DisplayedMedia,
  original: FileAddress,
  made: FileAddress | null,
): Promise<FileAddress> {
  const display = made ?? original
  try {
    const isOurs = await atomically(ctx, async (ctx) => {
      if (!(await setDisplayPath(ctx, id, display.key))) return false
      if (!made) return true
      await claimFiles(ctx, [made])
      await recordOrigins(ctx, made, [original])
      return true
    })
    if (isOurs) return display
  } catch (error) {
    if (made) await removeFiles(ctx, [made])
    throw error
  }
  if (made) await removeFiles(ctx, [made])
  // Another node was faster, or the item was deleted.
  const known = await findDisplayPath(ctx, id)
  if (!known) throw problem.mediaNotFound()
  return ownFile(known)
}
