/** What people did, for administrators to read (contract 1.8). */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { numberPlace, pageOf, readCursor } from './page-cursor.ts'
import { findActivity } from './queries.ts'

export async function listActivity(ctx: Context, { query }: Call<typeof api.admin.activity>) {
  const { userId, action, limit } = query
  const before = readCursor(numberPlace, query.cursor)?.[0]
  const rows = await findActivity(ctx, { userId, action, before, limit: limit + 1 })
  return pageOf(rows, limit, {
    present: ({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }),
    place: ({ id }) => [id],
  })
}
