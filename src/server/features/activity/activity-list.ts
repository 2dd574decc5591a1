/** Lists people's actions for administrators (contract 1.8). */
import { z } from 'zod'
import { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { pageOf, readCursor } from '../../http/page-cursor.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import { findActivity } from './queries.ts'

/** The position in the list. Ids can exceed 31 bits. */
const activityPosition = z.tuple([z.int().min(0)])
/** Enough to distinguish two links. */
const shownCharacters = 8

async function listActivity(ctx: Context, { query }: Call<typeof api.admin.activity>) {
  const { userId, action, limit } = query
  const before = readCursor(activityPosition, query.cursor)?.[0]
  const rows = await findActivity(ctx, { userId, action, before, limit: limit + 1 })
  return pageOf(rows, limit, {
    present: ({ createdAt, details, ...row }) => ({
      ...row,
      details: withoutCapability(details),
      createdAt: createdAt.toISOString(),
    }),
    positionOf: ({ id }) => [id],
  })
}

/**
 * Shortens a file's share code, which the log keeps (contract 4.4), so that readers of the log cannot
 * open the file.
 */
function withoutCapability(details: Record<string, unknown>): Record<string, unknown> {
  const { shareCode } = details
  if (typeof shareCode !== 'string') return details
  return { ...details, shareCode: `${shareCode.slice(0, shownCharacters)}…` }
}

export const activityRoutes = [route(api.admin.activity, listActivity)]
