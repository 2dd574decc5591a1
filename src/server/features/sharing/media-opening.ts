/** Opens the link to a single file, for anyone, without an account. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { grantOf } from '../files/files.ts'
import { findSharedMedia, findStoppedMedia, ownerNameOf } from '../share-links/share-links.ts'
import { displayFile, mediaTypeOf, ownFile } from '../vault/vault.ts'
import { isHiddenFile } from '../visibility/visibility.ts'

export async function openSharedMedia(
  ctx: Context,
  { params, findUser }: Call<typeof api.vault.openShared>,
) {
  const code = params.code.toLowerCase()
  const media = await findSharedMedia(ctx, code)
  const known = media ?? (await findStoppedMedia(ctx, code))
  if (!known || (await isHiddenFile(ctx, ownFile(known.filePath)))) throw problem.shareNotFound()
  if (!media) throw problem.shareStopped()
  // A file that was published as adult needs a verified age by its link too.
  const isForAdults = media.nsfw && (await findUser())?.ageVerified === true
  if (media.nsfw && !isForAdults) throw problem.shareNotFound()
  const file = await displayFile(ctx, media)
  return {
    name: media.name,
    url: mediaUrlOf(ctx, file, grantOf('file', media.grantId, { isForAdults })),
    type: mediaTypeOf(media),
    width: media.width,
    height: media.height,
    ownerName: await ownerNameOf(ctx, media.userId),
    createdAt: media.createdAt.toISOString(),
  }
}
