/**
 * Copies one's own session to a new private one. The files are copied first. Then one transaction
 * inserts the session and claims the copies. If it fails, the copies are removed.
 */
import { posix } from 'node:path'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import type { Call } from '../../http/route.ts'
import type { FileCopy } from '../files/files.ts'
import {
  claimFiles,
  copyAllUnclaimed,
  measureCopies,
  recordCopies,
  removeFiles,
} from '../files/files.ts'
import { refuseOverQuota } from '../quota/quota.ts'
import { lockExistingVaultMedia, ownFile, sessionFolder } from '../vault/vault.ts'
import { refuseHiddenSession } from '../visibility/visibility.ts'
import { lockOwn, requireOwn } from './access.ts'
import { takeSessionId } from './fill/imported-queries.ts'
import { insertImported } from './fill/imported-sessions.ts'
import type { SessionView } from './queries.ts'
import { findOwnSettings } from './queries.ts'
import type { NewSlide } from './slides/slide-columns.ts'
import { findOwnFileKeys, findStoredSlides } from './slides/slide-queries.ts'
import { readWhole } from './slides/slides.ts'

export async function duplicateSession(
  ctx: Context,
  { user, params }: Call<typeof api.sessions.duplicate>,
) {
  await requireOwn(ctx, user.id, params.id)
  // A copy can show pictures of other sites. A takedown of the original would not reach it.
  await refuseHiddenSession(ctx, params.id)
  const id = await takeSessionId(ctx)
  const keys = await findOwnFileKeys(ctx, params.id, null)
  const copies = keys.map((key): FileCopy => ({
    from: ownFile(key),
    to: ownFile(copiedKey(user.id, id, key)),
  }))
  const sizes = await measureCopies(ctx, copies)
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0)
  if (bytes > 0) await refuseOverQuota(ctx, user.id, bytes)
  await copyAllUnclaimed(ctx, copies, sizes)
  const files = copies.map(({ to }) => to)
  try {
    return await atomically(ctx, async (ctx) => {
      const session = await lockOwn(ctx, user.id, params.id)
      // A report may have arrived while the files were copied.
      await refuseHiddenSession(ctx, params.id)
      await insertCopy(ctx, id, session, new Set(keys))
      await claimFiles(ctx, files)
      await recordCopies(ctx, copies)
      const { session: made, media } = await readWhole(ctx, id)
      return { session: made, media }
    })
  } catch (error) {
    await removeFiles(ctx, files)
    throw error
  }
}

async function insertCopy(
  ctx: Context,
  id: number,
  session: SessionView,
  copied: ReadonlySet<string>,
): Promise<void> {
  const { userId } = session
  const { ownThumbnailKey, ...own } = await findOwnSettings(ctx, session.id)
  const keyOf = (key: string | null) => key && copiedKey(userId, id, key)
  const cover = keyOf(ownThumbnailKey)
  const stored = await findStoredSlides(ctx, session.id)
  const shown = stored.flatMap(({ vaultMediaId }) => vaultMediaId ?? [])
  const left = await lockExistingVaultMedia(ctx, userId, shown)
  // Leaves out slides whose vault file was deleted, or which got an own file, while the files were
  // copied.
  const slides = stored.filter(
    ({ vaultMediaId, ownFileKey }) =>
      (vaultMediaId === null || left.has(vaultMediaId)) &&
      (ownFileKey === null || copied.has(ownFileKey)),
  )
  await insertImported(
    ctx,
    {
      ...session,
      ...own,
      id,
      isPublic: false,
      isFavorite: false,
      thumbnail: cover === null ? session.thumbnail : addressOf(ctx, cover),
      ownThumbnailKey: cover,
    },
    slides.map((slide): NewSlide => {
      const ownFileKey = keyOf(slide.ownFileKey)
      const ownThumbnailKey = keyOf(slide.ownThumbnailKey)
      return {
        ...slide,
        mediaUrl: ownFileKey === null ? slide.mediaUrl : addressOf(ctx, ownFileKey),
        thumbnail: ownThumbnailKey === null ? slide.thumbnail : addressOf(ctx, ownThumbnailKey),
        ownFileKey,
        ownThumbnailKey,
      }
    }),
  )
}

function addressOf(ctx: Context, key: string): string {
  return mediaUrlOf(ctx, ownFile(key))
}

function copiedKey(userId: string, sessionId: number, key: string): string {
  return `${sessionFolder(userId, sessionId)}${posix.basename(key)}`
}
