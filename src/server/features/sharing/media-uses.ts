/** The page of a single file for its owner: its details and its uses. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { findPublished } from '../community/community.ts'
import { findSessionsShowing } from '../sessions/sessions.ts'
import { findOwnDetails, ownFile, readFileJson } from '../vault/vault.ts'
import { isQuarantined } from '../visibility/visibility.ts'

const maxSessions = 50

export async function readMedia(ctx: Context, { user, params }: Call<typeof api.vault.read>) {
  const { id } = params
  const details = await findOwnDetails(ctx, user.id, id)
  if (!details || (await isQuarantined(ctx, ownFile(details.filePath))))
    throw problem.mediaNotFound()
  const { caption, nsfw } = details
  const [file, published, { sessions, count: sessionCount }] = await Promise.all([
    readFileJson(ctx, user.id, id),
    findPublished(ctx, id),
    // Only its owner's sessions can show a vault file.
    findSessionsShowing(ctx, id, maxSessions),
  ])
  const rest = JSON.stringify({
    caption,
    nsfw,
    published: published ?? null,
    sessions,
    sessionCount,
  })
  return new JsonText(`{"file":${file},${rest.slice(1)}`)
}
