/**
 * Pictures that were permanently taken down. They are recognised by their perceptual hash even after
 * edits (contract, section 10).
 */
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import { mediaKindOf } from '../../media/media-kind.ts'
import type { Form } from '../../media/perceptual-hash.ts'
import { formsOf, hashPicture, haveAlikeSketches } from '../../media/perceptual-hash.ts'
import type { Picture } from '../../media/picture.ts'
import { inspectPicture, UnfitPicture } from '../../media/picture.ts'
import { withPictureBytes } from '../../media/stored-media.ts'
import { forEachLimit } from '../../platform/concurrency/semaphore.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { FileMissing } from '../../platform/storage/storage.ts'
import { readPictureSource, SourceRefused } from '../files/files.ts'
import { refuseHiddenSession } from '../visibility/visibility.ts'
import {
  findAlikeForms,
  findKnownHashes,
  findShownPictures,
  insertBlockedForms,
  isAnythingBlocked,
} from './blocked-queries.ts'
import type { Subject } from './takedown-queries.ts'

const pictureMaxBytes = 20 * 1_048_576
const picturesAtOnce = 3

export async function isBlockedPicture(ctx: Context, picture: Picture): Promise<boolean> {
  // Most sites block nothing, and hashing a picture costs as much as making a thumbnail.
  if (!(await isAnythingBlocked(ctx))) return false
  return isBlockedHash(ctx, await hashPicture(picture))
}

/** True when one of the hashes is blocked. `hashPicture` makes them. */
export function isBlockedHash(ctx: Context, hashes: readonly string[]): Promise<boolean> {
  return isAnyBlocked(ctx, formsOf(hashes))
}

export async function refuseBlockedPicture(ctx: Context, picture: Picture): Promise<void> {
  if (await isBlockedPicture(ctx, picture)) throw blocked()
}

/** Refuses blocked pictures. Calls `findHashes` only if any picture is blocked. */
export async function refuseBlockedHashes(
  ctx: Context,
  findHashes: () => Promise<readonly (readonly string[])[]>,
): Promise<void> {
  if (!(await isAnythingBlocked(ctx))) return
  if (await isAnyBlocked(ctx, (await findHashes()).flatMap(formsOf))) throw blocked()
}

/** Refuses a stored file that is a blocked picture. Other kinds of files cannot be recognised. */
export async function refuseBlockedFile(ctx: Context, file: FileAddress): Promise<void> {
  if (!(await isAnythingBlocked(ctx))) return
  if (await isBlockedHash(ctx, await hashFile(ctx, file))) throw blocked()
}

/** Blocks the pictures in the transaction of the decision. */
export async function blockHashes(
  ctx: Context,
  reportId: number,
  pictures: readonly (readonly string[])[],
): Promise<void> {
  // Single pages of an animation are often common to many: a title, a fade, a waving hand.
  const forms = pictures.flatMap(formsOf).filter(({ isPage }) => !isPage)
  await insertBlockedForms(ctx, reportId, forms)
}

/** Returns the hashes of every picture that the subject shows and that can still be read. */
export async function hashesOfSubject(ctx: Context, subject: Subject): Promise<string[][]> {
  const found: string[][] = []
  await forEachLimit(await findShownPictures(ctx, subject), picturesAtOnce, async (shown) => {
    if (shown.hashes.length > 0) found.push([...shown.hashes])
    else if (shown.file) found.push(await hashFile(ctx, shown.file))
    else if (shown.address !== null) found.push(await hashAddress(ctx, shown.address))
  })
  return found.filter((hashes) => hashes.length > 0)
}

async function isAnyBlocked(ctx: Context, forms: readonly Form[]): Promise<boolean> {
  if (forms.length === 0) return false
  const pairs = await findAlikeForms(ctx, forms)
  return pairs.some(({ seen, blocked }) => haveAlikeSketches(seen, blocked))
}

function blocked() {
  return problem.contentBlocked({
    message: 'This picture was taken down from this site and cannot be uploaded again',
  })
}

async function hashFile(ctx: Context, file: FileAddress): Promise<string[]> {
  return orNothing(async () => {
    if ((await mediaKindOf(ctx, file)).is !== 'picture') return []
    return withPictureBytes(ctx, file, async (bytes) => hashPicture(await inspectPicture(bytes)))
  })
}

function hashAddress(ctx: Context, address: string): Promise<string[]> {
  return orNothing(async () => {
    const { bytes } = await readPictureSource(ctx, address, { maxBytes: pictureMaxBytes })
    return hashPicture(await inspectPicture(bytes))
  })
}

async function orNothing(look: () => Promise<string[]>): Promise<string[]> {
  try {
    return await look()
  } catch (error) {
    const isGone = [UnfitPicture, SourceRefused, FileMissing].some((kind) => error instanceof kind)
    if (isGone) return []
    throw error
  }
}

/** Refuses to share a session that is hidden or shows a blocked picture. */
export async function refuseUnshareable(ctx: Context, sessionId: number): Promise<void> {
  await refuseHiddenSession(ctx, sessionId)
  await refuseBlockedHashes(ctx, () => findKnownHashes(ctx, sessionId))
}
