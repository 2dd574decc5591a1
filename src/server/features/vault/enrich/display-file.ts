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

const unfitPicture = 'picture: '
const unfitVideo = 'video: '

export type DisplayedMedia = {
  readonly id: number
  readonly userId: string
  readonly filePath: string
  readonly displayPath: string | null
}

/**
 * As `makeDisplayFile`. What a look into the file has found unfit is not worked on again for whoever
 * asks: a file can be made so that finding this out takes seconds.
 */
export async function displayFile(
  ctx: Context,
  media: DisplayedMedia & { readonly enrichmentError: string | null },
): Promise<FileAddress> {
  if (media.displayPath === null && media.enrichmentError !== null)
    refuseAsBefore(media.enrichmentError)
  return makeDisplayFile(ctx, media)
}

/** How a try writes down why a file cannot be shown; null where the file is not why. */
export function unfitnessOf(error: unknown): string | null {
  if (error instanceof UnfitPicture) return `${unfitPicture}${error.reason}`
  return error instanceof UnfitVideo ? `${unfitVideo}${error.reason}` : null
}

function refuseAsBefore(unfitness: string): void {
  const options = { cause: unfitness }
  if (unfitness.startsWith(unfitPicture)) throw new UnfitPicture('broken', options)
  if (unfitness.startsWith(unfitVideo)) throw new UnfitVideo('broken', options)
}

/**
 * The original itself where it holds nothing private. Not inside a transaction: it may take seconds.
 * Fails with UnfitPicture or UnfitVideo where nobody can tell what is in the file.
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
