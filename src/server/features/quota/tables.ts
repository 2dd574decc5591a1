/** The storage that each account uses. */

declare module '../../database/tables.ts' {
  interface Tables {
    stored_files: StoredFileTable
  }
}

type StoredFileTable = {
  key: string
  user_id: string
  size: number | null
}
