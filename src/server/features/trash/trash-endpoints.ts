/** The owner's endpoints of the trash. */
import { z } from 'zod'
import { api } from '../../../contract/api.ts'
import { listIndex } from '../../../contract/values.ts'
import type { Context } from '../../context.ts'
import { exactTime, pageOf, readCursor } from '../../http/page-cursor.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import { atomically } from '../../database/atomically.ts'
import { logActivity } from '../activity/activity.ts'
import { endAll, keptMs } from './ending.ts'
import type { Refused } from './moderated.ts'
import type { Moved } from './moving.ts'
import { moveToTrash } from './moving.ts'
import type { TrashItem, TrashKind } from './queries.ts'
import { listItems } from './queries.ts'
import type { Restored } from './restoring.ts'
import { restoreItem } from './restoring.ts'

const trashPosition = z.tuple([exactTime, z.enum(['media', 'session']), listIndex])

async function listTrash(ctx: Context, { user, query }: Call<typeof api.trash.list>) {
  const position = readCursor(trashPosition, query.cursor)
  const after = position ? { trashedAt: position[0], kind: position[1], id: position[2] } : null
  const rows = await listItems(ctx, user.id, query.limit + 1, after)
  return pageOf(rows, query.limit, {
    present: ({ kind, id, name, trashedAt }) => ({
      kind,
      id,
      name,
      thumbnail: null,
      deletedAt: new Date(trashedAt).toISOString(),
      purgeAt: new Date(Date.parse(trashedAt) + keptMs).toISOString(),
    }),
    positionOf: ({ trashedAt, kind, id }) => [trashedAt, kind, id],
  })
}

async function putInTrash(ctx: Context, { user, visitor, body }: Call<typeof api.trash.put>) {
  const { done, failed } = await each(body.items, (item) =>
    moveToTrash(ctx, user.id, item, visitor),
  )
  return { trashed: done, failed }
}

async function restore(ctx: Context, { user, visitor, body }: Call<typeof api.trash.restore>) {
  const { done, failed } = await each(body.items, (item) =>
    restoreItem(ctx, user.id, item, visitor),
  )
  return { restored: done, failed }
}

async function emptyTrash(ctx: Context, { user, visitor, body }: Call<typeof api.trash.empty>) {
  const userId = user.id
  const idsOf = (kind: TrashKind) =>
    body.items?.filter((item) => item.kind === kind).map(({ id }) => id) ?? null
  const sessions = await endAll(ctx, 'session', { userId, ids: idsOf('session') })
  const media = await endAll(ctx, 'media', { userId, ids: idsOf('media') })
  if (media > 0)
    await atomically(ctx, (ctx) =>
      logActivity(ctx, visitor, {
        userId,
        action: 'media_deleted',
        feature: 'media_gallery',
        details: { fromTrash: media },
      }),
    )
  return { deleted: sessions + media }
}

type Failed = TrashItem & { reason: Refused }

/** Handles items one after the other, each in its own transaction. Duplicates count once. */
async function each(
  items: readonly TrashItem[],
  work: (item: TrashItem) => Promise<Moved | Restored>,
) {
  const failed: Failed[] = []
  let done = 0
  const different = new Map(items.map((item) => [`${item.kind} ${item.id}`, item]))
  for (const item of different.values()) {
    const outcome = await work(item)
    if (outcome === 'not_found' || outcome === 'blocked') failed.push({ ...item, reason: outcome })
    else done += 1
  }
  return { done, failed }
}

export const trashRoutes = [
  route(api.trash.list, listTrash),
  route(api.trash.put, putInTrash),
  route(api.trash.restore, restore),
  route(api.trash.empty, emptyTrash),
]
