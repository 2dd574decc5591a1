/**
 * Storage on the local disk, as DATA_DIR/storage/<bucket>/<key>. A file gets its name only when all of it
 * is on the disk, so a killed process leaves no partial file.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, opendir, readdir, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { reasonOf, StartError } from '../start-error.ts'
import {
  copyToDraft,
  errorCodeOf,
  moveIntoPlace,
  syncFolder,
  removeEmptyFolders,
  writeDraft,
} from './durable-file.ts'
import { takeIn } from './intake.ts'
import {
  assertBucket,
  assertKey,
  assertPrefix,
  buckets,
  FileMissing,
  InvalidKey,
  isKey,
  isSegment,
  StorageFull,
  StorageUnreachable,
} from './storage.ts'
import type {
  Bucket,
  FileAddress,
  FolderEntry,
  ListedFile,
  Storage,
  StoredFile,
} from './storage.ts'

// No key can begin with a dot. The drafts are inside the bucket, so that a rename never crosses file
// systems, even if a bucket has its own disk.
const draftFolderName = '.drafts'
const draftMaxAgeMs = 60 * 60 * 1000
const sweepMaxEntries = 10_000
const readChunkBytes = 256 * 1024
const namesAtOnce = 1000
// Clocks of file systems tick every two seconds at most (FAT; elsewhere milliseconds).
const settlingMs = 2000
const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'])
const fullCodes = new Set(['ENOSPC', 'EDQUOT'])
const nameTakenCodes = new Set(['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY'])

export async function openFileStorage({ dataDir }: { dataDir: string }): Promise<Storage> {
  const root = resolve(dataDir, 'storage')
  try {
    for (const bucket of buckets) await prepareDrafts(join(root, bucket, draftFolderName))
  } catch (error) {
    throw new StartError(`DATA_DIR: files cannot be stored in ${root}: ${reasonOf(error)}`)
  }

  const pathOf = ({ bucket, key }: FileAddress): string => {
    assertBucket(bucket)
    assertKey(key)
    return join(root, bucket, key)
  }

  const keep = async (address: FileAddress, fill: (draft: string) => Promise<void>) => {
    const target = pathOf(address)
    const draft = join(root, address.bucket, draftFolderName, randomUUID())
    try {
      await fill(draft)
      await moveIntoPlace(draft, target).catch((error: unknown) => {
        if (!nameTakenCodes.has(errorCodeOf(error))) throw error
        throw new InvalidKey(address.key, 'a file and a folder cannot share a name')
      })
    } catch (error) {
      // If the draft cannot be removed now, a later start removes it.
      await rm(draft, { force: true }).catch(() => {})
      throw error
    }
  }

  return {
    async put(bucket, key, source, options = {}) {
      const intake = takeIn(source, options.signal)
      try {
        const { givenAway = false } = options
        await keep({ bucket, key }, (draft) => writeDraft(draft, intake.chunks, { givenAway }))
      } catch (error) {
        intake.abandon()
        const failure = intake.failure()
        if (failure) throw failure.reason
        return unreachable(error)
      }
      return { size: intake.sizeBytes() }
    },

    async stat(bucket, key) {
      return statFile(pathOf({ bucket, key }))
    },

    async read(bucket, key, range) {
      const path = pathOf({ bucket, key })
      // O_NOFOLLOW: a symbolic link in the folder is not one of our files.
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(
        (error: unknown) => {
          if (missingCodes.has(errorCodeOf(error))) throw new FileMissing({ bucket, key })
          return unreachable(error)
        },
      )
      try {
        const stats = await file.stat()
        if (!stats.isFile()) throw new FileMissing({ bucket, key })
        if (range && range.start >= stats.size) throw new RangeError('The range is past the end')
        return file.createReadStream({ ...range, highWaterMark: readChunkBytes })
      } catch (error) {
        await file.close()
        return unreachable(error)
      }
    },

    async copy(from, to) {
      const source = pathOf(from)
      pathOf(to) // Refuses an invalid key before it looks for the file.
      if (!(await statFile(source))) throw new FileMissing(from)
      await keep(to, (draft) => copyToDraft(source, draft)).catch(async (error: unknown) => {
        if (!(await statFile(source))) throw new FileMissing(from)
        unreachable(error)
      })
    },

    async remove(bucket, key) {
      const path = pathOf({ bucket, key })
      try {
        await unlink(path)
        // Flush before reporting success: a deleted picture must not reappear.
        await syncFolder(dirname(path))
        await removeEmptyFolders(dirname(path), join(root, bucket))
      } catch (error) {
        if (!missingCodes.has(errorCodeOf(error))) unreachable(error)
      }
    },

    async *list(bucket, prefix) {
      assertBucket(bucket)
      assertPrefix(prefix)
      const folderKey = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      yield* walk(join(root, bucket, folderKey), folderKey, prefix)
    },

    async *listFolder(bucket, folder) {
      assertBucket(bucket)
      assertPrefix(folder)
      yield* namesIn(join(root, bucket, folder), folder)
    },

    async fingerprint(bucket, folder) {
      assertBucket(bucket)
      assertPrefix(folder)
      return fingerprintOf(join(root, bucket, folder))
    },

    presign: null,

    async check() {
      for (const bucket of buckets) await checkWritable(root, bucket)
    },

    async close() {},
  }
}

async function statFile(path: string): Promise<StoredFile | null> {
  const stats = await lstat(path, { bigint: true }).catch((error: unknown) =>
    missingCodes.has(errorCodeOf(error)) ? null : unreachable(error),
  )
  if (!stats?.isFile()) return null
  // Each write creates a new inode, so a file replaced within one clock tick has another tag.
  const etag = [stats.size, stats.mtimeNs, stats.ino].map((part) => part.toString(36)).join('-')
  return { size: Number(stats.size), etag: `"${etag}"`, lastModified: stats.mtime }
}

async function* walk(
  folder: string,
  folderKey: string,
  prefix: string,
): AsyncGenerator<ListedFile> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) =>
    missingCodes.has(errorCodeOf(error)) ? [] : unreachable(error),
  )
  for (const entry of entries) {
    const key = `${folderKey}${entry.name}`
    // Drafts, links and other files that an operator left in the folder are not ours.
    if (!isSegment(entry.name) || !key.startsWith(prefix)) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      yield* walk(path, `${key}/`, prefix)
    } else if (isKey(key)) {
      const stored = await statFile(path)
      if (stored) yield { key, size: stored.size, lastModified: stored.lastModified }
    }
  }
}

async function* namesIn(folder: string, folderKey: string): AsyncGenerator<FolderEntry> {
  const entries = await opendir(folder, { bufferSize: namesAtOnce }).catch((error: unknown) =>
    missingCodes.has(errorCodeOf(error)) ? null : unreachable(error),
  )
  if (!entries) return
  try {
    for await (const entry of entries) {
      const key = `${folderKey}${entry.name}`
      if (entry.isDirectory() || !isSegment(entry.name) || !isKey(key)) continue
      yield { key, look: () => statFile(join(folder, entry.name)) }
    }
  } catch (error) {
    unreachable(error)
  }
}

/** Returns the folder's change time, which users cannot set and which each added or removed name updates. */
async function fingerprintOf(folder: string): Promise<string | null> {
  const stats = await stat(folder, { bigint: true }).catch((error: unknown) =>
    missingCodes.has(errorCodeOf(error)) ? null : unreachable(error),
  )
  if (!stats) return 'none'
  if (Date.now() - Number(stats.ctimeMs) < settlingMs) return null
  return `${stats.ino.toString(36)}-${stats.ctimeNs.toString(36)}`
}

/** Removes the drafts of killed processes. A draft that is still being written is too young to be removed. */
async function prepareDrafts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let seen = 0
  for await (const entry of await opendir(folder)) {
    if ((seen += 1) > sweepMaxEntries) return
    const path = join(folder, entry.name)
    const stats = await lstat(path).catch(() => null)
    if (stats?.isFile() && Date.now() - stats.mtimeMs > draftMaxAgeMs)
      await rm(path, { force: true })
  }
}

/** Writes a file to check: permission bits do not show a full disk or a read-only mount. */
async function checkWritable(root: string, bucket: Bucket): Promise<void> {
  const draft = join(root, bucket, draftFolderName, randomUUID())
  try {
    await writeFile(draft, 'writable?', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const why = errorCodeOf(error) || 'unknown reason'
    throw new StorageUnreachable(`Storage folder '${bucket}' cannot be written: ${why}`, {
      cause: error,
    })
  } finally {
    await rm(draft, { force: true }).catch(() => {})
  }
}

/** Converts system errors to StorageUnreachable. Our own errors pass unchanged. */
function unreachable(error: unknown): never {
  const code = errorCodeOf(error)
  if (code === '') throw error
  const Failed = fullCodes.has(code) ? StorageFull : StorageUnreachable
  throw new Failed(`The storage folder cannot be used: ${code}`, { cause: error })
}
