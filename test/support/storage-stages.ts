// Both storages, each on a place of its own that goes away with it, for promises they share.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStorage } from '../../src/server/platform/storage/file-storage.ts'
import { createS3Storage } from '../../src/server/platform/storage/s3-storage.ts'
import { buckets } from '../../src/server/platform/storage/storage.ts'
import type { Storage } from '../../src/server/platform/storage/storage.ts'
import { startS3Server } from './s3-server.ts'

export type StorageStage = {
  storage: Storage
  /** Half-written things that a failed write has left: drafts, or uploads in parts. */
  leftovers(): Promise<string[]>
  stop(): Promise<void>
}

/** `folder` is where the buckets lie, for whoever puts files there past the storage. */
export async function openDiskStage(): Promise<StorageStage & { folder: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lanternist-storage-'))
  const drafts = (bucket: string) => readdir(join(dataDir, 'storage', bucket, '.drafts'))
  return {
    storage: await openFileStorage({ dataDir }),
    folder: join(dataDir, 'storage'),
    leftovers: async () => (await Promise.all(buckets.map(drafts))).flat(),
    stop: () => rm(dataDir, { recursive: true, force: true }),
  }
}

export async function openS3Stage(): Promise<StorageStage> {
  const server = await startS3Server()
  const storage = createS3Storage(server.options)
  return {
    storage,
    leftovers: () => server.unfinishedUploads(),
    async stop() {
      await storage.close()
      await server.stop()
    },
  }
}
