/** Where a page of the community ended, as a text that says nothing to whoever carries it. */
import { z } from 'zod'
import { problems } from '../../../contract/problems.ts'
import { Problem } from '../../http/problem.ts'

export type Sort = 'recent' | 'popular'

/** An item's place in either order. */
export type Place = {
  readonly savedCount: number
  /** ISO 8601 with microseconds, as the database has it: a page must not end between two of them. */
  readonly publishedAt: string
  readonly kind: 'session' | 'media'
  readonly id: number
}

const count = z.int().min(0).max(2_147_483_647)
const written = z.tuple([
  z.enum(['recent', 'popular']),
  count,
  z.iso.datetime({ precision: 6 }),
  z.enum(['session', 'media']),
  count,
])

export function writeCursor(sort: Sort, place: Place): string {
  const { savedCount, publishedAt, kind, id } = place
  const fields: z.input<typeof written> = [sort, savedCount, publishedAt, kind, id]
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}

/** Refuses what was not given out for this order. */
export function readCursor(sort: Sort, cursor: string): Place {
  const { success, data } = written.safeParse(decode(cursor))
  if (!success || data[0] !== sort)
    throw new Problem(problems.validationFailed, {
      message: 'Validation failed: cursor is none that was given out for this order',
    })
  const [, savedCount, publishedAt, kind, id] = data
  return { savedCount, publishedAt, kind, id }
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
