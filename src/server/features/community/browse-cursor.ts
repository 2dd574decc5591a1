/** The cursor of a community page: a position in one of its two orders. */
import { z } from 'zod'
import { listIndex } from '../../../contract/values.ts'
import { placeInTime, readCursor, writeCursor } from '../../http/page-cursor.ts'

export type Sort = 'recent' | 'popular'

/** An item's position in either order. */
export type Place = {
  readonly savedCount: number
  /** ISO 8601 with microseconds. */
  readonly publishedAt: string
  readonly kind: 'session' | 'media'
  readonly id: number
}

export function cursorAt(sort: Sort, { savedCount, publishedAt, kind, id }: Place): string {
  return writeCursor([sort, savedCount, publishedAt, kind, id])
}

/** Refuses a cursor that was made for another order. */
export function placeAt(sort: Sort, cursor: string | undefined): Place | null {
  const place = readCursor(
    z.tuple([z.literal(sort), listIndex, placeInTime, z.enum(['session', 'media']), listIndex]),
    cursor,
  )
  if (!place) return null
  const [, savedCount, publishedAt, kind, id] = place
  return { savedCount, publishedAt, kind, id }
}
