/** Tables of imports whose media are being copied. */
import type { Generated } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    session_imports: SessionImportTable
    media_to_copy: MediaToCopyTable
  }
}

type SessionImportTable = {
  session_id: number
  total: number
  copying: Generated<number>
  touched_at: Date
}

type MediaToCopyTable = {
  media_id: number
  session_id: number
  tries: Generated<number>
}
