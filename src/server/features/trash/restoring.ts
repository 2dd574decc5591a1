/** Restores items from the trash unchanged, unless moderation has decided against it meanwhile. */
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Visitor } from '../../http/caller.ts'
import { logActivity } from '../activity/activity.ts'
import { isBlockedHash } from '../moderation/moderation.ts'
import { lockShowingSessions, setSlidesTrashed } from '../sessions/sessions.ts'
import { ownFile } from '../vault/vault.ts'
import type { Refused } from './moderated.ts'
import { refusalOfFile, refusalOfSession } from './moderated.ts'
import type { TrashItem } from './queries.ts'
import { deleteTrashedFiles, lockTrashedMedia, lockTrashedSession, setLive } from './queries.ts'

export type Restored = 'restored' | Refused

export function restoreItem(
  ctx: Context,
  userId: string,
  item: TrashItem,
  visitor: Visitor,
): Promise<Restored> {
  return atomically(ctx, (ctx) =>
    item.kind === 'media'
      ? restoreMedia(ctx, userId, item, visitor)
      : restoreSession(ctx, userId, item),
  )
}

async function restoreMedia(
  ctx: Context,
  userId: string,
  item: TrashItem,
  visitor: Visitor,
): Promise<Restored> {
  // Lock sessions before the record, as slide edits do.
  await lockShowingSessions(ctx, [item.id])
  const media = await lockTrashedMedia(ctx, userId, item.id)
  if (!media) return 'not_found'
  const refused = await refusalOfFile(ctx, ownFile(media.filePath))
  if (refused) return refused
  if (await isBlockedHash(ctx, media.perceptualHashes)) return 'blocked'
  await setLive(ctx, item)
  await deleteTrashedFiles(ctx, item)
  await setSlidesTrashed(ctx, item.id, { inTrash: false })
  await logActivity(ctx, visitor, {
    userId,
    action: 'media_restored',
    feature: 'media_gallery',
    details: { mediaId: item.id, filePath: media.filePath },
  })
  return 'restored'
}

async function restoreSession(ctx: Context, userId: string, item: TrashItem): Promise<Restored> {
  if (!(await lockTrashedSession(ctx, userId, item.id))) return 'not_found'
  const refused = await refusalOfSession(ctx, item.id)
  if (refused) return refused
  await setLive(ctx, item)
  await deleteTrashedFiles(ctx, item)
  return 'restored'
}
