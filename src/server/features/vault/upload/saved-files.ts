/**
 * Saves results of the picture tools in the vault: the file, its record, its origins, and the job that
 * examines it.
 */
import type { Context } from '../../../context.ts'
import { mediaUrlOf } from '../../../http/media/media-url.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import type { FileAddress } from '../../../platform/storage/storage.ts'
import { contentTypeOf } from '../../../platform/storage/storage.ts'
import { claimFiles, recordOrigins } from '../../files/files.ts'
import { enrichMedia } from '../enrich/enrichment-jobs.ts'
import { ownFile, userFolder } from '../media-files.ts'
import { findOwnById } from '../queries.ts'
import type { SavedComposition } from './saved-file-queries.ts'
import { findComposition, insertSavedFile } from './saved-file-queries.ts'
import { displayNameOf } from './stored-name.ts'

/** The folder of each tool. */
const folderOf = { babecock: 'Babecocks', hypnococks: 'HypnoCocks', upload: 'Uploads' } as const

export type SavedSource = keyof typeof folderOf

/** A tool's result, stored at an address of `newVaultFile` and not claimed yet. */
export type StoredResult = {
  readonly userId: string
  readonly source: SavedSource
  readonly file: FileAddress
  readonly fileSize: number
  readonly name: string
  readonly width: number
  readonly height: number
  readonly durationMs?: number | null
  /** The tool, and data that the tool needs later. */
  readonly metadata: { readonly tool: string } & Record<string, unknown>
  readonly origins: readonly FileAddress[]
}

export type Kept = { readonly mediaId: number; readonly url: string }

/** Returns an unused address. */
export function newVaultFile(
  ctx: Context,
  { userId, source, extension }: { userId: string; source: SavedSource; extension: string },
): FileAddress {
  const fileName = `${source}-${ctx.now().getTime()}-${ctx.newId()}.${extension}`
  return ownFile(`${userFolder(userId)}${folderOf[source]}/${fileName}`)
}

/** Inserts the record and claims the file. Call it in the transaction that saves the result. */
export async function nameInVault(ctx: Context, result: StoredResult): Promise<Kept> {
  const { file, name, origins } = result
  const fileName = file.key.slice(file.key.lastIndexOf('/') + 1)
  const displayName = displayNameOf(name)
  await claimFiles(ctx, [file])
  const mediaId = await insertSavedFile(ctx, {
    ...result,
    name: displayName === '' ? fileName : displayName,
    fileName,
    mimeType: contentTypeOf(file.key),
  })
  await recordOrigins(ctx, file, origins)
  await enqueue(ctx, enrichMedia, { mediaId })
  return keptAs(ctx, mediaId, file)
}

/** Returns the user's own file with this id, or null if it was deleted. */
export async function findSavedFile(
  ctx: Context,
  userId: string,
  id: number,
): Promise<Kept | null> {
  const media = await findOwnById(ctx, userId, id)
  return media ? keptAs(ctx, id, ownFile(media.filePath)) : null
}

/** Returns the layout of a composition in the user's own vault, or null for any other file. */
export function findSavedComposition(
  ctx: Context,
  userId: string,
  { bucket, key }: FileAddress,
): Promise<SavedComposition | null> {
  return bucket === 'user-media' ? findComposition(ctx, userId, key) : Promise.resolve(null)
}

function keptAs(ctx: Context, mediaId: number, file: FileAddress): Kept {
  return { mediaId, url: mediaUrlOf(ctx, file) }
}
