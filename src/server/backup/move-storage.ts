/**
 * Copies every file of one storage to another, and reads each back to hold its hash against the first.
 * It can be run again: what is there already, byte for byte, stays.
 */
import type { Bucket, Storage } from '../platform/storage/storage.ts'
import { buckets, FileMissing } from '../platform/storage/storage.ts'
import { hashOf } from './manifest.ts'

export type MovedFiles = { copied: number; present: number }

export async function moveFiles(from: Storage, to: Storage): Promise<MovedFiles> {
  const moved: MovedFiles = { copied: 0, present: 0 }
  for (const bucket of buckets)
    for await (const { key } of from.list(bucket, '')) {
      const hash = await hashIn(from, bucket, key)
      // Removed since it was listed, by a service that still runs.
      if (hash === null) continue
      if ((await hashIn(to, bucket, key)) === hash) {
        moved.present += 1
        continue
      }
      await to.put(bucket, key, await from.read(bucket, key))
      if ((await hashIn(to, bucket, key)) !== hash)
        throw new Error(`${bucket}/${key} is not the same on both sides`)
      moved.copied += 1
    }
  return moved
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
