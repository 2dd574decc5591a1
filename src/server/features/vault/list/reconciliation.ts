/**
 * Makes records for files that came into the vault's folders past the service: a tool's, or somebody
 * who copied them there. Done before every list, and cheap where nothing has changed.
 *
 * How it stays right: a folder is left alone only while it has the fingerprint that was taken before
 * it was last listed, so whatever comes later changes it; where there are no fingerprints (S3) it is
 * listed again after a minute. A file that the service itself is writing or removing is announced in
 * `unclaimed_files` for all that time, and one statement looks at records and announcements together,
 * so it is never taken for a stranger's. One that was listed, and then deleted with its record before
 * that statement, would come back as a record without a file: so new records are held against a
 * second listing, and those whose file has gone meanwhile go too. A path has one record at most by
 * the schema, whoever else reconciles at the same time.
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

/** Where the storage cannot be asked, the list shows what the records know. */
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
      'the vault could not be held against the storage',
    )
  }
}

/** The record of a file by its whole path, made where only the file is there; null for no such file. */
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

/** The fingerprint comes before the listing: what changes in between is found the next time. */
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

/** Records of files that were deleted while the folder was listed. */
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

/** Pictures and videos; what else lies there, such as a tool's '.json', is not for the list. */
function isListed(name: string): boolean {
  return contentTypeOf(name) !== unknownContentType
}

function keyOf(userId: string, folder: string): string {
  return `${userFolder(userId)}${folder}/`
}
