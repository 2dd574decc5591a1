/** Opening the link to a single file: for anyone, without an account. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { grantOf } from '../files/files.ts'
import { findSharedMedia, ownerNameOf } from '../share-links/share-links.ts'
import { displayFile, mediaTypeOf, ownFile } from '../vault/vault.ts'
import { isHiddenFile } from '../visibility/visibility.ts'

export async function openSharedMedia(
  ctx: Context,
  { params, findUser }: Call<typeof api.vault.openShared>,
) {
  const media = await findSharedMedia(ctx, params.code.toLowerCase())
  if (!media || (await isHiddenFile(ctx, ownFile(media.filePath)))) throw problem.shareNotFound()
  // A link has no age of its own; what was published as adult is adult by its link as well.
  if (media.nsfw && !(await findUser())?.ageVerified) throw problem.shareNotFound()
  const file = await displayFile(ctx, media)
  return {
    name: media.name,
    url: mediaUrlOf(ctx, file, grantOf('file', media.grantId)),
    type: mediaTypeOf(media),
    width: media.width,
    height: media.height,
    ownerName: await ownerNameOf(ctx, media.userId),
    createdAt: media.createdAt.toISOString(),
  }
}
