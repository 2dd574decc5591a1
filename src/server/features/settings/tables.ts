/** The table of settings. */
import type { ColumnType } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    settings: SettingTable
  }
}

type SettingTable = {
  key: string
  value: ColumnType<unknown, string>
  updated_at: Date
}
