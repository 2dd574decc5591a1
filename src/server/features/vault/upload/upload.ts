/**
 * Receives uploads: checks the file, streams it into the storage and inserts its record. After a
 * failure neither file nor record remains.
 */
import { createHash, type Hash } from 'node:crypto'
import { api } from '../../../../contract/api.ts'
import { problems } from '../../../../contract/problems.ts'
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import type { FilePart } from '../../../http/bodies/form.ts'
import { FileTooLarge } from '../../../http/bodies/form.ts'
import { mediaUrlOf } from '../../../http/media/media-url.ts'
import { problem } from '../../../http/problem.ts'
import { JsonText } from '../../../http/reply.ts'
import type { Call } from '../../../http/route.ts'
import { parseInput } from '../../../http/validation.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { requireDecodable } from '../../../media/decodable-file.ts'
import { UnfitPicture } from '../../../media/picture.ts'
import { UnfitVideo } from '../../../media/video.ts'
import { StorageFull, StorageUnreachable } from '../../../platform/storage/storage.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { logActivity } from '../../activity/activity.ts'
import {
  renewAnnouncement,
  announceFile,
  keepUntilClaimed,
  claimFiles,
  moveAnnounced,
  removeFiles,
  writeAnnounced,
} from '../../files/files.ts'
import { storeDisplayable } from '../../intake/intake.ts'
import { refuseBlockedFile } from '../../moderation/moderation.ts'
import { readSettings } from '../../settings/settings.ts'
import { enrichMedia } from '../enrich/enrichment-jobs.ts'
import { readFileJson } from '../list/list.ts'
import type { UploadSource } from '../media-files.ts'
import { ownFile, uploadFolders, userFolder } from '../media-files.ts'
import { findUploaded, insertUploadOnce, isPathTaken } from '../queries.ts'
import { displayNameOf, originalNameOf, storedName } from './stored-name.ts'
import { refuseFilm, requireContent, requireKind } from './upload-checks.ts'

const bytesPerMb = 1_048_576

type UploadCall = Call<typeof api.vault.upload>

/** A file in the storage that is announced, and not claimed yet. */
type Kept = {
  readonly file: FileAddress
  readonly fileName: string
  readonly givenName: string
  readonly mimeType: string
  readonly size: number
  /** In hexadecimal. */
  readonly sha256: string
  readonly source: UploadSource
}

/** A received file, with the key by which its sender recognises it later. */
type Received = Kept & { readonly key: string | undefined }

export async function uploadMedia(ctx: Context, call: UploadCall) {
  const { uploadLimitMb } = await readSettings(ctx)
  try {
    const received = await receive(ctx, call, uploadLimitMb * bytesPerMb)
    const { fileName, file, source, media } = await guarded(ctx, received, async () => {
      await requireDecodable(ctx, received.file)
      await refuseBlockedFile(ctx, received.file)
      // Other people see pictures of profiles and sessions, so private metadata is removed.
      if (!isVaultItem(received.source))
        await storeDisplayable(ctx, received.file, () => received.file)
      const named = await nameFile(ctx, call, received)
      if (named.file.key !== received.file.key) await removeFiles(ctx, [received.file])
      await removeFiles(ctx, named.replaced)
      return named
    })
    const fileUrl = mediaUrlOf(ctx, file)
    const stored = JSON.stringify({ fileUrl, fileName, filePath: file.key, source })
    return new JsonText(`${stored.slice(0, -1)},"media":${media}}`)
  } catch (error) {
    throw await explain(ctx, error, uploadLimitMb)
  }
}

/** Reads the form to its end. The source field may precede or follow the file. */
async function receive(ctx: Context, call: UploadCall, maxFileBytes: number): Promise<Received> {
  if (!call.form.isMultipart) throw problem.noFile()
  const fields: Record<string, string> = {}
  const given = () => parseInput(api.vault.upload.form.fields, fields, problems.validationFailed)
  let kept: Kept | null = null
  try {
    for await (const part of call.form.parts({ maxFileBytes })) {
      if (part.kind === 'field') fields[part.name] = part.value
      else if (part.name === api.vault.upload.form.file && part.fileName !== '')
        kept = await keep(ctx, call.user.id, part, given().source)
      else await discard(part.content)
    }
    if (!kept) throw problem.noFile()
    const { source, key } = given()
    const moved = source === kept.source ? kept : await move(ctx, call.user.id, kept, source)
    return { ...moved, key }
  } catch (error) {
    if (kept) await removeFiles(ctx, [kept.file])
    throw error
  }
}

async function keep(
  ctx: Context,
  userId: string,
  part: FilePart,
  source: UploadSource,
): Promise<Kept> {
  const kind = requireKind(part)
  refuseFilm(kind, source)
  const content = await requireContent(kind, part.content)
  const reserved = await reserve(ctx, userId, source, part.fileName)
  const hash = createHash('sha256')
  const coming = renewAnnouncement(ctx, reserved.file, hashed(hash, content))
  const { size } = await writeAnnounced(ctx, reserved.file, coming, { givenAway: true })
  const sha256 = hash.digest('hex')
  return { ...reserved, givenName: part.fileName, mimeType: kind.mimeType, size, sha256, source }
}

/** Hashes each chunk before it is passed on: the consumer may reuse its memory. */
async function* hashed(hash: Hash, content: AsyncIterable<Uint8Array>) {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}

/** Moves the file to the folder of its source, if the form gave the source after the file. */
async function move(ctx: Context, userId: string, kept: Kept, source: UploadSource): Promise<Kept> {
  refuseFilm(kept, source)
  const reserved = await reserve(ctx, userId, source, kept.givenName)
  await guarded(ctx, reserved, () => moveAnnounced(ctx, kept.file, reserved.file, kept.size))
  return { ...kept, ...reserved, source }
}

/**
 * Announces the file under an unused name. If two files with the same name arrive in one millisecond,
 * the later one gets the next millisecond.
 */
async function reserve(ctx: Context, userId: string, source: UploadSource, givenName: string) {
  for (let atMs = ctx.now().getTime(); ; atMs += 1) {
    const fileName = storedName(source, atMs, givenName)
    const file = ownFile(`${userFolder(userId)}${uploadFolders[source]}/${fileName}`)
    if (!(await announceFile(ctx, file))) continue
    if (!(await isPathTaken(ctx, file.key))) return { file, fileName }
    // An older record has this path, because the clock was set back. End the announcement.
    await claimFiles(ctx, [file])
  }
}

/**
 * Inserts the record, the activity entry and the job that examines the file, all or nothing. A repeated
 * upload returns its earlier record, and its new file stays unclaimed.
 */
function nameFile(ctx: Context, { user, visitor }: UploadCall, received: Received) {
  const { file, fileName, givenName, mimeType, size, source, key } = received
  return atomically(ctx, async (ctx) => {
    const mediaId = isVaultItem(source)
      ? await insertUploadOnce(ctx, {
          userId: user.id,
          name: displayNameOf(givenName),
          originalName: originalNameOf(givenName),
          fileName,
          filePath: file.key,
          fileSize: size,
          mimeType,
          source,
          contentSha256: received.sha256,
          uploadKey: key,
        })
      : null
    if (mediaId === undefined)
      return { source, ...(await findEarlier(ctx, user.id, key)), replaced: [] }
    const replaced = mediaId === null ? await keepUntilClaimed(ctx, file) : []
    if (mediaId !== null) await claimFiles(ctx, [file])
    await logActivity(ctx, visitor, {
      userId: user.id,
      action: 'media_uploaded',
      feature: 'media_gallery',
      details: { mediaId, source, filePath: file.key, fileSize: size, mimeType },
    })
    if (mediaId !== null) await enqueue(ctx, enrichMedia, { mediaId })
    const media = mediaId === null ? 'null' : await readFileJson(ctx, user.id, mediaId)
    return { file, fileName, source, media, replaced }
  })
}

async function findEarlier(ctx: Context, userId: string, key = '') {
  const earlier = await findUploaded(ctx, userId, key)
  if (!earlier) throw new Error('An upload was deleted while it was sent again')
  const { id, fileName, filePath } = earlier
  return { file: ownFile(filePath), fileName, media: await readFileJson(ctx, userId, id) }
}

/** Removes the file if the work fails, unless its record was inserted after all. */
async function guarded<T>(
  ctx: Context,
  { file }: Pick<Kept, 'file'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await removeFiles(ctx, [file])
    throw error
  }
}

async function explain(ctx: Context, error: unknown, uploadLimitMb: number): Promise<unknown> {
  if (error instanceof FileTooLarge)
    return problem.fileTooLarge({
      message: `The file is larger than ${uploadLimitMb} MB`,
      suggestion: `Choose a file of at most ${uploadLimitMb} MB, or make this one smaller.`,
    })
  if (error instanceof UnfitPicture || error instanceof UnfitVideo)
    return problem.uploadRefused({
      message: 'Upload failed: Invalid file content: it cannot be shown',
      suggestion: 'Save the file again, smaller if it is very large, and upload it again.',
    })
  if (!(error instanceof StorageUnreachable) || error instanceof StorageFull) return error
  ctx.log.error({ event: 'upload_failed', err: error }, 'failed to store an upload')
  const isDown = await ctx.storage.check().then(
    () => false,
    () => true,
  )
  return isDown
    ? problem.storageMisconfigured({
        message: 'Files cannot be stored at the moment',
        suggestion: 'Try again later. If this happens again, tell the people who run this site.',
      })
    : problem.storageFailed({
        message: 'The file could not be stored',
        suggestion: 'Try again in a moment.',
      })
}

function isVaultItem(
  source: UploadSource,
): source is Exclude<UploadSource, 'profile' | 'thumbnail'> {
  return source !== 'profile' && source !== 'thumbnail'
}

async function discard(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of content);
}
