/** The file ledger and the origins of files. */
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
