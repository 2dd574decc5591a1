/** Deletes a file with its thumbnails, its published copies, and the slides that show it. */
import type { api } from '../../../contract/api.ts'
import { pathId } from '../../../contract/values.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Visitor } from '../../http/caller.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { isOutage } from '../../platform/outage.ts'
import { logActivity } from '../activity/activity.ts'
import { abandonCommunityCopy } from '../community/community.ts'
import { abandonFiles, removeFiles } from '../files/files.ts'
import { forgetVaultSlides } from '../sessions/sessions.ts'
import { moveToTrash } from '../trash/trash.ts'
import {
  deleteRecord,
  findOwnById,
  lockRecord,
  ownFile,
  ownFilesOf,
  recordOfPath,
  userFolder,
} from '../vault/vault.ts'
import type { MediaRecord } from '../vault/vault.ts'
import { isQuarantined } from '../visibility/visibility.ts'

type RemoveCall = Pick<Call<typeof api.vault.remove>, 'user' | 'visitor' | 'query'>

export function removeMedia(ctx: Context, call: Call<typeof api.vault.remove>) {
  return removeNamed(ctx, call, call.params.id)
}

export function removeMediaByPath(ctx: Context, call: Call<typeof api.vault.removeByPath>) {
  return removeNamed(ctx, call, call.params['*'])
}

/** Resolves the value: with a slash it is a path below the caller's folder, otherwise an id. */
async function removeNamed(ctx: Context, { user, visitor, query }: RemoveCall, value: string) {
  const userId = user.id
  const media = value.includes('/')
    ? await recordOfPath(ctx, userId, `${userFolder(userId)}${value}`)
    : await findOwnById(ctx, userId, idOf(value))
  if (!media || (await isQuarantined(ctx, ownFile(media.filePath)))) throw problem.mediaNotFound()
  if (query.trash === 'true') {
    const moved = await moveToTrash(ctx, userId, { kind: 'media', id: media.id }, visitor)
    if (moved === 'moved') return { message: 'Media moved to trash' }
  }
  // Content hidden by moderation cannot be restored, so it is deleted at once.
  await removeFiles(ctx, await forget(ctx, media, visitor))
  return { message: 'Media deleted successfully' }
}

/** Deletes the rows and marks the files for removal, in one transaction. */
function forget(ctx: Context, { id, userId }: MediaRecord, visitor: Visitor) {
  return atomically(ctx, async (ctx) => {
    // Lock sessions before the record, in the same order as edits of slides. The second call finds slides
    // added before the record was locked; after that, none can be added.
    await forgetVaultSlides(ctx, [id])
    const media = await lockRecord(ctx, id)
    if (!media) throw problem.mediaNotFound()
    await forgetVaultSlides(ctx, [id])
    const files = [...ownFilesOf(media), ...(await abandonCommunityCopy(ctx, id))]
    await deleteRecord(ctx, id).catch((error: unknown) => {
      if (isOutage(error)) throw error
      ctx.log.error({ event: 'media_delete_failed', err: error }, 'failed to delete a vault record')
      throw problem.mediaRecordNotDeleted()
    })
    const gone = await abandonFiles(ctx, files)
    await logActivity(ctx, visitor, {
      userId,
      action: 'media_deleted',
      feature: 'media_gallery',
      details: { mediaId: id, filePath: media.filePath },
    })
    return gone
  })
}

function idOf(value: string): number {
  const id = pathId.safeParse(value)
  if (!id.success) throw problem.invalidMediaId()
  return id.data
}
