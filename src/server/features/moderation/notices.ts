/** Messages of the service to a user, kept until they are read. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { countUnread, listNoticeRows, markRead } from './notice-queries.ts'

export async function listNotices(
  ctx: Context,
  { user, query: { limit, cursor } }: Call<typeof api.moderation.listNotices>,
) {
  const rows = await listNoticeRows(ctx, user.id, { before: cursor ?? null, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    items: page.map(({ id, message, createdAt, readAt }) => ({
      id,
      message,
      createdAt: createdAt.toISOString(),
      readAt: readAt?.toISOString() ?? null,
    })),
    unread: await countUnread(ctx, user.id),
    nextCursor: last ? String(last.id) : null,
  }
}

export async function readNotices(ctx: Context, { user }: Call<typeof api.moderation.readNotices>) {
  await markRead(ctx, user.id)
  return { message: 'All notices are read' }
}
