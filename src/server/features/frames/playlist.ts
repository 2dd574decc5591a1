/**
 * Returns a frame's playlist to the screen with its link. A screen polls every few minutes for years, so
 * a known version is not sent again.
 */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import { JsonText, NotModified } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { sha256 } from '../../platform/signature.ts'
import { grantedJson, grantOf } from '../files/files.ts'
import { findPlaylist } from './playlist-queries.ts'

export async function readPlaylist(
  ctx: Context,
  { visitor, params }: Call<typeof api.frames.playlist>,
) {
  const known = versionsIn(visitor.header('if-none-match'))
  const playlist = await findPlaylist(ctx, sha256(params.token), known)
  if (!playlist) throw problem.frameNotFound()
  const { grantId, version, name, settings, media } = playlist
  // Revalidate each time, because the link may have ended.
  const headers = { etag: `"${version}"`, 'cache-control': 'private, no-cache' }
  if (media === null) return new NotModified(headers)
  const given = grantedJson(ctx, grantOf('frame', grantId), media)
  const beginning = JSON.stringify({ name, settings, version }).slice(0, -1)
  return new JsonText(`${beginning},"media":${given}}`, headers)
}

/** Returns the versions of an If-None-Match header. Compressing proxies turn them into weak ones. */
function versionsIn(header: string | null): string[] {
  return [...(header ?? '').matchAll(/"([0-9a-f]{32})(?:-[a-z]+)?"/g)].flatMap(
    ([, version]) => version ?? [],
  )
}
