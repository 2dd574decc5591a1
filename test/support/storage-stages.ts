// Both storages, each in a temporary place, for tests of their common behaviour.

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
  /** Returns partial writes that a failure has left: drafts or multipart uploads. */
  leftovers(): Promise<string[]>
  stop(): Promise<void>
}

/** Opens a disk storage. `folder` contains the buckets, for tests that write files directly. */
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
