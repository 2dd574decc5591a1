/** The cursor of a community page: a position in one of its two orders. */
import { z } from 'zod'
import { listIndex } from '../../../contract/values.ts'
import { exactTime, readCursor, writeCursor } from '../../http/page-cursor.ts'

export type Sort = 'recent' | 'popular'

/** An item's position in either order. */
export type ItemPosition = {
  readonly savedCount: number
  /** ISO 8601 with microseconds. */
  readonly publishedAt: string
  readonly kind: 'session' | 'media'
  readonly id: number
}

export function cursorAt(sort: Sort, { savedCount, publishedAt, kind, id }: ItemPosition): string {
  return writeCursor([sort, savedCount, publishedAt, kind, id])
}

/** Refuses a cursor that was made for another order. */
export function positionAt(sort: Sort, cursor: string | undefined): ItemPosition | null {
  const position = readCursor(
    z.tuple([z.literal(sort), listIndex, exactTime, z.enum(['session', 'media']), listIndex]),
    cursor,
  )
  if (!position) return null
  const [, savedCount, publishedAt, kind, id] = position
  return { savedCount, publishedAt, kind, id }
}
