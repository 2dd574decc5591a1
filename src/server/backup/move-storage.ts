/**
 * Copies every file of one storage to another, then reads each copy and compares its hash. It can run
 * again: identical files stay, and files deleted from the source since an earlier run are deleted from the
 * target. It deletes no other files, because it records the files that it has copied.
 */
import { createReadStream } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Bucket, FileAddress, Storage } from '../platform/storage/storage.ts'
import { assertBucket, buckets, FileMissing } from '../platform/storage/storage.ts'
import { hashOf } from './manifest.ts'

export type MovedFiles = { copied: number; present: number; removed: number }

/** Copies the files. `record` is stored with the source files, so it is deleted together with them. */
export async function moveFiles(from: Storage, to: Storage, record: string): Promise<MovedFiles> {
  const moved: MovedFiles = { copied: 0, present: 0, removed: 0 }
  for await (const { bucket, key } of readRecord(record)) {
    const isGone = (await from.stat(bucket, key)) === null && (await to.stat(bucket, key)) !== null
    if (!isGone) continue
    await to.remove(bucket, key)
    moved.removed += 1
  }
  for (const bucket of buckets)
    for await (const { key } of from.list(bucket, '')) {
      const hash = await hashIn(from, bucket, key)
      // Removed since it was listed, by a running service.
      if (hash === null) continue
      if ((await hashIn(to, bucket, key)) === hash) {
        moved.present += 1
        continue
      }
      // Recorded before the copy, so that the next run knows about it even if this one is interrupted.
      await appendFile(record, `${JSON.stringify([bucket, key])}\n`)
      await to.put(bucket, key, await from.read(bucket, key))
      if ((await hashIn(to, bucket, key)) !== hash)
        throw new Error(`${bucket}/${key} differs between the two stores`)
      moved.copied += 1
    }
  return moved
}

async function* readRecord(record: string): AsyncGenerator<FileAddress> {
  const file = createReadStream(record)
  try {
    for await (const line of createInterface({ input: file })) {
      // Our own format. The last line may be cut off; its file was not copied then.
      const [, bucket = '', key = ''] = /^\["([\w-]+)",(".*")\]$/.exec(line) ?? []
      if (key === '') continue
      assertBucket(bucket)
      yield { bucket, key: JSON.parse(key) as string }
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

async function hashIn(storage: Storage, bucket: Bucket, key: string): Promise<string | null> {
  try {
    const { size, sha256 } = await hashOf(await storage.read(bucket, key))
    return `${size} ${sha256}`
  } catch (error) {
    if (error instanceof FileMissing) return null
    throw error
  }
}
