/** Pages of lists. A cursor marks the end of a page, as a text that clients cannot interpret. */
import { z } from 'zod'
import { problems } from '../../contract/problems.ts'
import { listIndex } from '../../contract/values.ts'
import { Problem } from './problem.ts'

/** Expects one row more than the page, to know if another page follows. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  {
    present,
    positionOf,
  }: { present: (row: Row) => Item; positionOf: (row: Row) => readonly unknown[] },
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(present), nextCursor: last ? writeCursor(positionOf(last)) : null }
}

/** Parses a cursor. Refuses text that no page has returned. */
export function readCursor<Position extends z.ZodType>(
  position: Position,
  cursor: string | undefined,
): z.output<Position> | undefined {
  if (cursor === undefined) return undefined
  const { success, data } = position.safeParse(decode(cursor))
  if (success) return data
  throw new Problem(problems.validationFailed, {
    message: 'Validation failed: cursor is not a cursor of this list',
  })
}

/** A position in a list that is ordered by a whole number, such as a column. */
export const indexPosition = z.tuple([listIndex])

/**
 * A position in time, with microseconds as in the database: a page must not end between two of them. The
 * database has no year 0.
 */
export const exactTime = z.iso.datetime({ precision: 6 }).regex(/^(?!0000)/)

export function writeCursor(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
