/** Stored files that nothing names yet, and what was copied from what. */
import type { Bucket } from '../../platform/storage/storage.ts'

declare module '../../database/tables.ts' {
  interface Tables {
    unclaimed_files: UnclaimedFileTable
    file_origins: FileOriginTable
  }
}

type UnclaimedFileTable = {
  bucket: Bucket
  key: string
  remove_after: Date
  removing_until: Date | null
}

type FileOriginTable = {
  bucket: Bucket
  key: string
  origin_bucket: Bucket
  origin_key: string
}
