/** Pages of lists: where one ended, as a text that says nothing to whoever carries it. */
import { z } from 'zod'
import { problems } from '../../contract/problems.ts'
import { listIndex } from '../../contract/values.ts'
import { Problem } from './problem.ts'

/** One more than the page is asked for, so that it is known whether another follows. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  { present, place }: { present: (row: Row) => Item; place: (row: Row) => readonly unknown[] },
): { items: Item[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: shown.map(present), nextCursor: last ? writeCursor(place(last)) : null }
}

/** Refuses what no page has given out. */
export function readCursor<Place extends z.ZodType>(
  place: Place,
  cursor: string | undefined,
): z.output<Place> | undefined {
  if (cursor === undefined) return undefined
  const { success, data } = place.safeParse(decode(cursor))
  if (success) return data
  throw new Problem(problems.validationFailed, {
    message: 'Validation failed: cursor is none that was given out for this list',
  })
}

/** A place in a list that goes by a whole number, as a column holds it. */
export const numberPlace = z.tuple([listIndex])

/**
 * A place in time, with microseconds as the database has it: a page must not end between two of them.
 * The year 0 is one that the database does not know.
 */
export const placeInTime = z.iso.datetime({ precision: 6 }).regex(/^(?!0000)/)

export function writeCursor(place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url')
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
