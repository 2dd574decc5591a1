/** The trash as its owner sees and uses it. */
import { api } from '../../../contract/api.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import { atomically } from '../../database/atomically.ts'
import { logActivity } from '../activity/activity.ts'
import { endAll, keptMs } from './ending.ts'
import { moveToTrash } from './moving.ts'
import type { Place, TrashItem, TrashKind } from './queries.ts'
import { listItems } from './queries.ts'
import { restoreItem } from './restoring.ts'

async function listTrash(ctx: Context, { user, query }: Call<typeof api.trash.list>) {
  const after = query.cursor === undefined ? null : placeOf(query.cursor)
  // One more than asked for tells whether there is a next page.
  const found = await listItems(ctx, user.id, query.limit + 1, after)
  const page = found.slice(0, query.limit)
  const last = found.length > page.length ? page.at(-1) : undefined
  return {
    items: page.map(({ kind, id, name, trashedAt }) => ({
      kind,
      id,
      name,
      thumbnail: null,
      deletedAt: new Date(trashedAt).toISOString(),
      purgeAt: new Date(Date.parse(trashedAt) + keptMs).toISOString(),
    })),
    nextCursor: last ? cursorOf(last) : null,
  }
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

type Outcome = 'moved' | 'restored' | 'not_found' | 'blocked'
type Failed = TrashItem & { reason: 'not_found' | 'blocked' }

/** One after the other, each in a transaction of its own; the same thing twice counts once. */
async function each(items: readonly TrashItem[], work: (item: TrashItem) => Promise<Outcome>) {
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

function cursorOf({ trashedAt, kind, id }: Place): string {
  return Buffer.from(`${trashedAt} ${kind} ${id}`).toString('base64url')
}

function placeOf(cursor: string): Place {
  const [, trashedAt = '', kind, id] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (media|session) (\d{1,10})$/.exec(
      Buffer.from(cursor, 'base64url').toString('latin1'),
    ) ?? []
  // There is no 30th of February, though JavaScript would read on.
  const time = new Date(trashedAt)
  const isReal =
    !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === trashedAt.slice(0, 19)
  if (!isReal || Number(id) > 2 ** 31 - 1)
    throw new Problem(problems.validationFailed, {
      message: 'Validation failed: cursor is not one of a list',
    })
  return { trashedAt, kind: kind === 'media' ? 'media' : 'session', id: Number(id) }
}

export const trashRoutes = [
  route(api.trash.list, listTrash),
  route(api.trash.put, putInTrash),
  route(api.trash.restore, restore),
  route(api.trash.empty, emptyTrash),
]
