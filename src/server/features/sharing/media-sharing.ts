/** Sharing a vault file, by a link and in the community (contract, sections 2 and 4.4). */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { StorageFull, StorageUnreachable } from '../../platform/storage/storage.ts'
import { refuseUnknownTags } from '../classification/classification.ts'
import { removeFiles } from '../files/files.ts'
import { refuseBlockedHashes } from '../moderation/moderation.ts'
import { stopShareCode } from '../share-links/share-links.ts'
import {
  displayFile,
  enrichNow,
  findMedia,
  lockOwnMedia,
  mediaTypeOf,
  ownFile,
  recordOfPath,
  refuseUnshowable,
} from '../vault/vault.ts'
import type { StoredMedia } from '../vault/vault.ts'
import { refuseHiddenFile } from '../visibility/visibility.ts'
import type { Sharing } from './media-publishing.ts'
import { logShare, makeCode, publish, shareUrlOf, withdraw } from './media-publishing.ts'

export async function shareMedia(ctx: Context, call: Call<typeof api.vault.share>) {
  return share(ctx, call, await requireOwnMedia(ctx, call.user.id, call.params.id))
}

export async function shareMediaByPath(ctx: Context, call: Call<typeof api.vault.shareByPath>) {
  const record = await recordOfPath(ctx, call.user.id, call.body.filePath).catch(explain)
  if (!record) throw problem.mediaNotFound()
  return share(ctx, call, await requireOwnMedia(ctx, call.user.id, record.id))
}

export async function unshareMedia(ctx: Context, { user, params }: Call<typeof api.vault.unshare>) {
  const removed = await atomically(ctx, async (ctx) => {
    if (!(await lockOwnMedia(ctx, user.id, params.id))) throw problem.mediaNotFound()
    await stopShareCode(ctx, params.id)
    return withdraw(ctx, params.id)
  })
  await removeFiles(ctx, removed)
  return { message: 'Share removed successfully' }
}

async function requireOwnMedia(ctx: Context, userId: string, id: number): Promise<StoredMedia> {
  const [media] = await findMedia(ctx, [id])
  if (media?.userId !== userId) throw problem.mediaNotFound()
  return media
}

async function share(ctx: Context, sharing: Sharing, media: StoredMedia) {
  const { shareToCommunity } = sharing.body
  let known = media
  const look = async () => (known = await examined(ctx, known))
  await refuseHiddenFile(ctx, ownFile(media.filePath))
  await refuseBlockedHashes(ctx, async () => [(await look()).perceptualHashes])
  if (shareToCommunity) await refuseUnpublishable(ctx, sharing, known)
  const mustKnow = shareToCommunity || media.enrichmentError !== null
  if (mustKnow && known === media) await look()
  const way = shareToCommunity ? publish : shareByLink
  // Calls for the same item run in turn on a node, so that later ones use the result of the first.
  return ctx.turns.inTurn(`share/${media.id}`, () => way(ctx, sharing, known).catch(explain))
}

/** Examines the item if it was not examined yet: its size, thumbnails and hashes. */
async function examined(ctx: Context, media: StoredMedia): Promise<StoredMedia> {
  if (media.enrichmentStatus === 'completed' || media.enrichmentStatus === 'failed') return media
  await enrichNow(ctx, media.id)
  return requireOwnMedia(ctx, media.userId, media.id)
}

/** Checks the terms for publishing. The owner of an uploaded picture takes responsibility for it. */
async function refuseUnpublishable(
  ctx: Context,
  { user, body }: Sharing,
  media: StoredMedia,
): Promise<void> {
  const isUploadedImage = media.category === 'upload' && mediaTypeOf(media) !== 'video'
  if (isUploadedImage && !body.policyAgreed) throw problem.policyRequired()
  if (isUploadedImage && body.tags.length === 0) throw problem.tagRequired()
  await refuseUnknownTags(ctx, 'tags', body.tags)
  if (body.nsfw && !user.ageVerified)
    throw problem.ageVerificationRequired({
      message: 'Verify your age to publish adult content, or mark the content as not adult',
    })
}

async function shareByLink(ctx: Context, sharing: Sharing, media: StoredMedia) {
  // Make it now: visitors must not wait for it, and must never get the original instead.
  await displayFile(ctx, media)
  const { shareCode, removed } = await atomically(ctx, async (ctx) => {
    if (!(await lockOwnMedia(ctx, media.userId, media.id))) throw problem.mediaNotFound()
    const shareCode = await makeCode(ctx, media.id)
    const removed = await withdraw(ctx, media.id)
    await logShare(ctx, sharing, media.id, { shareCode, communityStatus: 'none' })
    return { shareCode, removed }
  })
  await removeFiles(ctx, removed)
  return { shareCode, shareUrl: shareUrlOf(shareCode) }
}

/** Turns errors into responses. A missing file and an unreachable storage both prevent sharing. */
function explain(error: unknown): never {
  if (error instanceof StorageUnreachable && !(error instanceof StorageFull))
    throw problem.mediaNotShared()
  return refuseUnshowable(error)
}
