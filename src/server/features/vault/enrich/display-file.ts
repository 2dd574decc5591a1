/** The file of a vault item that others may see: made once, and remembered with the item. */
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

export type DisplayedMedia = {
  readonly id: number
  readonly userId: string
  readonly filePath: string
  readonly displayPath: string | null
}

/**
 * The original itself where it holds nothing private. Not inside a transaction: it may take seconds.
 * Fails with UnfitPicture or UnfitVideo where nobody can tell what is in the file.
 */
export async function displayFile(ctx: Context, media: DisplayedMedia): Promise<FileAddress> {
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

/** What is wrong with a file that was to be shown to others, as an answer. */
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
  // Another node was faster, or the item has been deleted.
  const known = await findDisplayPath(ctx, id)
  if (!known) throw problem.mediaNotFound()
  return ownFile(known)
}
