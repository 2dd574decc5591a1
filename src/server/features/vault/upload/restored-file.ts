/** Files that are restored to the vault from an archive, with their data. */
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { contentTypeOf } from '../../../platform/storage/storage.ts'
import { claimFiles } from '../../files/files.ts'
import { enrichMedia } from '../enrich/enrichment-jobs.ts'
import type { RecordSource } from '../media-files.ts'
import { ownFile, uploadFolders, userFolder } from '../media-files.ts'
import { insertUpload } from '../queries.ts'
import { displayNameOf, originalNameOf, storedName } from './stored-name.ts'

export type RestoredFile = {
  readonly userId: string
  readonly file: FileAddress
  readonly fileSize: number
  readonly name: string
  readonly originalName: string
  readonly source: RecordSource
  readonly caption: string | null
  readonly subfeed: string | null
}

/** Returns an unused address in the folder of the file's source. */
export function restoredFileAddress(
  ctx: Context,
  { userId, source, extension }: { userId: string; source: RecordSource; extension: string },
): FileAddress {
  const shelf = source === 'upload' ? 'Uploads' : uploadFolders[source]
  const name = storedName(
    source === 'upload' ? 'general' : source,
    ctx.now().getTime(),
    ctx.newId(),
  )
  return ownFile(`${userFolder(userId)}${shelf}/${name}.${extension}`)
}

/** Inserts the record and claims the file. Call it in the transaction of the restore. */
export async function nameRestored(ctx: Context, restored: RestoredFile): Promise<void> {
  const { file, name, originalName, ...known } = restored
  const fileName = file.key.slice(file.key.lastIndexOf('/') + 1)
  await claimFiles(ctx, [file])
  const mediaId = await insertUpload(ctx, {
    ...known,
    name: displayNameOf(name) || fileName,
    originalName: originalNameOf(originalName) || fileName,
    fileName,
    filePath: file.key,
    mimeType: contentTypeOf(file.key),
  })
  await enqueue(ctx, enrichMedia, { mediaId })
}
