/** Publishing a file to the community, and withdrawing it. Files are copied before the transaction. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { SignedInUser, Visitor } from '../../http/caller.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { logActivity } from '../activity/activity.ts'
import {
  abandonCommunityCopy,
  findCommunityRecord,
  insertCommunityRecord,
  makeCommunityCopy,
  updateCommunityRecord,
} from '../community/community.ts'
import type { CommunityCopy } from '../community/community.ts'
import { abandonFiles, claimFiles, recordCopies, removeFiles } from '../files/files.ts'
import { markVaultSlidesAdult } from '../sessions/sessions.ts'
import { ensureShareCode } from '../share-links/share-links.ts'
import { lockOwnMedia, setShareToCommunity } from '../vault/vault.ts'
import type { StoredMedia } from '../vault/vault.ts'

export type Sharing = {
  readonly user: SignedInUser
  readonly visitor: Visitor
  readonly body: Call<typeof api.vault.share>['body']
}

/** Publishes an examined item. If a call on another node was faster, its copy stays. */
export async function publish(ctx: Context, sharing: Sharing, media: StoredMedia) {
  const isPublished = (await findCommunityRecord(ctx, media.id)) !== undefined
  const copy = isPublished ? null : await makeCommunityCopy(ctx, media)
  try {
    const published = await atomically(ctx, (ctx) => storePublished(ctx, sharing, media, copy))
    if (!published) return await publish(ctx, sharing, media)
    const { id, fileKey, shareCode } = published
    if (copy && fileKey !== copy.file.key) await removeFiles(ctx, filesOf(copy))
    return {
      shareCode,
      shareUrl: shareUrlOf(shareCode),
      communityUrl: mediaUrlOf(ctx, { bucket: 'general', key: fileKey }),
      communityMediaId: id,
    }
  } catch (error) {
    if (copy) await removeFiles(ctx, filesOf(copy))
    throw error
  }
}

/** Withdraws a file in a transaction. Pass the returned files to `removeFiles` after the commit. */
export async function withdraw(ctx: Context, mediaId: number): Promise<FileAddress[]> {
  await setShareToCommunity(ctx, mediaId, false)
  return abandonFiles(ctx, await abandonCommunityCopy(ctx, mediaId))
}

export async function makeCode(ctx: Context, mediaId: number): Promise<string> {
  try {
    return await ensureShareCode(ctx, mediaId)
  } catch (error) {
    ctx.log.error({ event: 'share_failed', err: error }, 'failed to make a share link')
    throw problem.shareLinkNotMade()
  }
}

export function shareUrlOf(shareCode: string): string {
  return `/shared/media/${shareCode}`
}

export function logShare(
  ctx: Context,
  { user, visitor }: Sharing,
  mediaId: number,
  share: { readonly shareCode: string; readonly communityStatus: 'published' | 'none' },
): Promise<void> {
  return logActivity(ctx, visitor, {
    userId: user.id,
    action: 'media_shared',
    feature: 'media_gallery',
    details: { mediaId, ...share },
  })
}

/** Returns null if the earlier publication was withdrawn meanwhile. */
async function storePublished(
  ctx: Context,
  sharing: Sharing,
  media: StoredMedia,
  copy: CommunityCopy | null,
) {
  const { tags, nsfw } = sharing.body
  const said = { tags: [...new Set(tags)], nsfw }
  // Lock sessions before the record, as slide edits do. A slide that was inserted in between is found
  // after the record is locked.
  if (nsfw) await markVaultSlidesAdult(ctx, media.id)
  if (!(await lockOwnMedia(ctx, media.userId, media.id))) throw problem.mediaNotFound()
  if (nsfw) await markVaultSlidesAdult(ctx, media.id)
  const existing = await updateCommunityRecord(ctx, media.id, said)
  const record = existing ?? (copy && (await storeCopy(ctx, media, copy, said)))
  if (!record) return null
  await setShareToCommunity(ctx, media.id, true, nsfw)
  const shareCode = await makeCode(ctx, media.id)
  await logShare(ctx, sharing, media.id, { shareCode, communityStatus: 'published' })
  return { ...record, shareCode }
}

async function storeCopy(
  ctx: Context,
  media: StoredMedia,
  copy: CommunityCopy,
  said: { readonly tags: readonly string[]; readonly nsfw: boolean },
) {
  await claimFiles(ctx, filesOf(copy))
  await recordCopies(ctx, copy.copies)
  return insertCommunityRecord(ctx, {
    mediaId: media.id,
    ownerId: media.userId,
    fileKey: copy.file.key,
    thumbnailKey: copy.thumbnail?.key ?? null,
    type: copy.type,
    width: copy.width,
    height: copy.height,
    ...said,
  })
}

function filesOf({ copies }: CommunityCopy): FileAddress[] {
  return copies.map(({ to }) => to)
}
