/**
 * Moves items to the trash, each in one transaction. Then no list, link, address or community page
 * shows the item. Its rows, files and share codes stay.
 */
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Visitor } from '../../http/caller.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { logActivity } from '../activity/activity.ts'
import { abandonCommunityCopy } from '../community/community.ts'
import { abandonFiles, removeFiles } from '../files/files.ts'
import { lockSession, setSlidesTrashed } from '../sessions/sessions.ts'
import { findOwnById, lockRecord, ownFile, ownFilesOf } from '../vault/vault.ts'
import type { Refused } from './moderated.ts'
import { refusalOfFile, refusalOfSession } from './moderated.ts'
import type { TrashItem } from './queries.ts'
import {
  findOwnKeys,
  findSizes,
  insertTrashedFiles,
  setMediaTrashed,
  setSessionTrashed,
} from './queries.ts'

export type Moved = 'moved' | Refused

export async function moveToTrash(
  ctx: Context,
  userId: string,
  item: TrashItem,
  visitor: Visitor,
): Promise<Moved> {
  const withdrawn: FileAddress[] = []
  const moved = await atomically(ctx, (ctx) =>
    item.kind === 'media'
      ? moveMedia(ctx, userId, item.id, visitor, withdrawn)
      : moveSession(ctx, userId, item.id, withdrawn),
  )
  await removeFiles(ctx, withdrawn)
  return moved
}

async function moveMedia(
  ctx: Context,
  userId: string,
  id: number,
  visitor: Visitor,
  withdrawn: FileAddress[],
): Promise<Moved> {
  const own = await findOwnById(ctx, userId, id)
  if (!own) return 'not_found'
  const refused = await refusalOfFile(ctx, ownFile(own.filePath))
  if (refused) return refused
  // Lock sessions before the record, as slide edits do. A slide that was inserted in between is found
  // after the record is locked. Then no more can be inserted.
  await setSlidesTrashed(ctx, id, { inTrash: true })
  const media = await lockRecord(ctx, id)
  if (!media) return 'not_found'
  await setSlidesTrashed(ctx, id, { inTrash: true })
  withdrawn.push(...(await abandonFiles(ctx, await abandonCommunityCopy(ctx, id))))
  await setMediaTrashed(ctx, id)
  await hideFiles(ctx, { kind: 'media', id }, ownFilesOf(media))
  await logActivity(ctx, visitor, {
    userId,
    action: 'media_trashed',
    feature: 'media_gallery',
    details: { mediaId: id, filePath: media.filePath },
  })
  return 'moved'
}

async function moveSession(
  ctx: Context,
  userId: string,
  id: number,
  withdrawn: FileAddress[],
): Promise<Moved> {
  const session = await lockSession(ctx, id)
  if (session?.userId !== userId) return 'not_found'
  const refused = await refusalOfSession(ctx, id)
  if (refused) return refused
  withdrawn.push(...(await ctx.publisher.withdrawSession(ctx, id)))
  await setSessionTrashed(ctx, id, session.updatedAt)
  await hideFiles(ctx, { kind: 'session', id }, (await findOwnKeys(ctx, [id])).map(ownFile))
  return 'moved'
}

async function hideFiles(ctx: Context, item: TrashItem, files: readonly FileAddress[]) {
  const sizes = await findSizes(
    ctx,
    files.map(({ key }) => key),
  )
  await insertTrashedFiles(ctx, item, [...files, ...sizes])
}
