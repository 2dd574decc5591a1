/** What people did, for administrators to read (contract 1.8). */
import { z } from 'zod'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { pageOf, readCursor } from './page-cursor.ts'
import { findActivity } from './queries.ts'

/** Its rows are counted beyond 31 bits. */
const activityPlace = z.tuple([z.int().min(0)])

export async function listActivity(ctx: Context, { query }: Call<typeof api.admin.activity>) {
  const { userId, action, limit } = query
  const before = readCursor(activityPlace, query.cursor)?.[0]
  const rows = await findActivity(ctx, { userId, action, before, limit: limit + 1 })
  return pageOf(rows, limit, {
    present: ({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }),
    place: ({ id }) => [id],
  })
}
