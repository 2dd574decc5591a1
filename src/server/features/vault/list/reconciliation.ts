/**
 * Makes records for files that another program or a person put into the vault's folders. Runs before
 * every list, and is cheap if nothing has changed.
 *
 * A folder is skipped only while it has the fingerprint that was taken before its last listing, so
 * later changes are noticed. Storage without fingerprints (S3) is listed again after a minute. The
 * service announces a file in `unclaimed_files` while it writes or removes it. One statement reads
 * records and announcements together, so such a file is never mistaken for a new one. A file can be
 * listed, and then deleted with its record before that statement. This would make a record without a
 * file. So a second listing follows, and new records whose file has gone are deleted. The schema allows
 * one record for each path, even if several nodes reconcile at once.
 */
import type { Context } from '../../../context.ts'
import { atomically } from '../../../database/atomically.ts'
import { enqueueAll } from '../../../jobs/enqueue.ts'
import { forEachLimit } from '../../../platform/concurrency/semaphore.ts'
import type { FolderEntry } from '../../../platform/storage/storage.ts'
import {
  contentTypeOf,
  isKey,
  StorageUnreachable,
  unknownContentType,
} from '../../../platform/storage/storage.ts'
import { enrichMedia } from '../enrich/enrichment-jobs.ts'
import { ownFile, userFolder, vaultFolders } from '../media-files.ts'
import type { MediaRecord } from '../queries.ts'
import { findByPath } from '../queries.ts'
import type { FolderSeen, FoundFile } from './reconcile-queries.ts'
import {
  deleteRecords,
  findFolders,
  findUnknown,
  insertFound,
  storeFolder,
} from './reconcile-queries.ts'

const listedAgainAfterMs = 60_000
const foldersAtOnce = 4
const filesAtOnce = 1000
const looksAtOnce = 16

/**
 * Synchronises the records with the storage. If the storage is unreachable, the list shows the existing
 * records.
 */
export async function reconcileVault(ctx: Context, userId: string): Promise<void> {
  try {
    if ((await changedFolders(ctx, userId)).length === 0) return
    await ctx.turns.inTurn(`reconcile/${userId}`, async () =>
      forEachLimit(await changedFolders(ctx, userId), foldersAtOnce, (folder) =>
        reconcileFolder(ctx, userId, folder),
      ),
    )
  } catch (error) {
    if (!(error instanceof StorageUnreachable)) throw error
    ctx.log.warn(
      { event: 'reconcile_failed', err: error },
      'failed to compare the vault with the storage',
    )
  }
}

/**
 * Returns the record of a file by its full path. Makes the record if only the file exists. Returns null
 * if there is no such file.
 */
export async function recordOfPath(
  ctx: Context,
  userId: string,
  path: string,
): Promise<MediaRecord | null> {
  const [, folder = '', fileName = ''] = /^users\/[^/]+\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  if (!path.startsWith(userFolder(userId)) || !isKey(path)) return null
  const known = await findByPath(ctx, path)
  if (known) return known
  if (!vaultFolders.has(folder) || !isListed(fileName)) return null
  const { bucket, key } = ownFile(path)
  await makeRecords(ctx, userId, folder, [{ key, look: () => ctx.storage.stat(bucket, key) }])
  return (await findByPath(ctx, path)) ?? null
}

type Folder = { readonly name: string; readonly fingerprint: string | null }

/** Takes the fingerprint before the listing, so that the next run notices changes in between. */
async function changedFolders(ctx: Context, userId: string): Promise<Folder[]> {
  const seen = new Map((await findFolders(ctx, userId)).map((row) => [row.folder, row]))
  const folders = await Promise.all(
    [...vaultFolders.keys()].map(async (name) => ({
      name,
      fingerprint: (await ctx.storage.fingerprint?.('user-media', keyOf(userId, name))) ?? null,
    })),
  )
  return folders.filter((folder) => hasChanged(ctx, folder, seen.get(folder.name)))
}

function hasChanged(ctx: Context, folder: Folder, seen: FolderSeen | undefined): boolean {
  if (!seen) return true
  if (ctx.storage.fingerprint)
    return folder.fingerprint === null || folder.fingerprint !== seen.fingerprint
  return Math.abs(ctx.now().getTime() - seen.listedAt.getTime()) >= listedAgainAfterMs
}

async function reconcileFolder(
  ctx: Context,
  userId: string,
  { name, fingerprint }: Folder,
): Promise<void> {
  const listedAt = ctx.now()
  const made = new Map<string, number>()
  for await (const entries of inBatches(listFolder(ctx, userId, name)))
    for (const { id, filePath } of await makeRecords(ctx, userId, name, entries))
      made.set(filePath, id)
  if (made.size > 0) await takeBackGhosts(ctx, userId, name, made)
  await storeFolder(ctx, userId, { folder: name, fingerprint, listedAt })
}

async function makeRecords(
  ctx: Context,
  userId: string,
  folder: string,
  entries: readonly FolderEntry[],
): Promise<{ id: number; filePath: string }[]> {
  const unknown = await findUnknown(
    ctx,
    entries.map(({ key }) => key),
  )
  const files = await lookAt(entries.filter(({ key }) => unknown.has(key)))
  if (files.length === 0) return []
  const source = vaultFolders.get(folder) ?? 'upload'
  const metadata = { tool: source, backfilledAt: ctx.now().toISOString() }
  return atomically(ctx, async (ctx) => {
    const made = await insertFound(ctx, userId, { source, metadata }, files)
    await enqueueAll(
      ctx,
      enrichMedia,
      made.map(({ id }) => ({ mediaId: id })),
    )
    return made
  })
}

/** Deletes the records of files that were deleted during the listing. */
async function takeBackGhosts(
  ctx: Context,
  userId: string,
  folder: string,
  made: Map<string, number>,
): Promise<void> {
  for await (const { key } of listFolder(ctx, userId, folder)) made.delete(key)
  if (made.size > 0) await deleteRecords(ctx, [...made.values()])
}

async function lookAt(entries: readonly FolderEntry[]): Promise<FoundFile[]> {
  const files: FoundFile[] = []
  await forEachLimit(entries, looksAtOnce, async ({ key, look }) => {
    const known = await look()
    if (!known) return
    const fileName = key.slice(key.lastIndexOf('/') + 1)
    const { size: fileSize, lastModified: createdAt } = known
    files.push({ fileName, filePath: key, fileSize, mimeType: contentTypeOf(key), createdAt })
  })
  return files
}

async function* listFolder(ctx: Context, userId: string, name: string) {
  for await (const entry of ctx.storage.listFolder('user-media', keyOf(userId, name)))
    if (isListed(entry.key)) yield entry
}

async function* inBatches(entries: AsyncIterable<FolderEntry>): AsyncGenerator<FolderEntry[]> {
  let batch: FolderEntry[] = []
  for await (const entry of entries) {
    batch.push(entry)
    if (batch.length < filesAtOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** True for pictures and videos. Other files in the folder, such as a tool's '.json', are not listed. */
function isListed(name: string): boolean {
  return contentTypeOf(name) !== unknownContentType
}

function keyOf(userId: string, folder: string): string {
  return `${userFolder(userId)}${folder}/`
}
