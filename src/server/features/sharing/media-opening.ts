/** Opening the link to a single file: for anyone, without an account. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import type { Call } from '../../http/route.ts'
import { problem } from '../../http/problem.ts'
import { grantOf } from '../files/grants.ts'
import { isHiddenFile } from '../visibility/visibility.ts'
import { ownerNameOf } from '../share-links/session-links.ts'
import { displayFile } from '../vault/enrich/display-file.ts'
import { mediaTypeOf, ownFile } from '../vault/media-files.ts'
import { findSharedMedia } from '../share-links/media-link-queries.ts'

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
