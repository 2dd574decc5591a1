/** Tables of library imports and the items restored so far. */
import type { Generated, JSONColumnType } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    library_imports: LibraryImportTable
    library_import_items: LibraryImportItemTable
  }
}

type LibraryImportTable = {
  id: string
  user_id: string
  status: Generated<'running' | 'done' | 'failed'>
  archive_key: string
  total: number
  done: Generated<number>
  sessions: Generated<number>
  vault_files: Generated<number>
  skipped: JSONColumnType<Record<string, string>[], string | undefined>
  error: string | null
  created_at: Date
  updated_at: Date
}

type LibraryImportItemTable = {
  import_id: string
  item: string
}
