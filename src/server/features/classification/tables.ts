/** Tables of tags and categories. */
import type { Generated } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    tags: TagTable
    categories: CategoryTable
  }
}

type TagTable = {
  slug: string
  label: string
  description: Generated<string>
  position: Generated<number>
}

type CategoryTable = {
  id: Generated<number>
  slug: string
  name: string
  is_default: Generated<boolean>
}
