/** Deletes a session with its links, its own files and its published copies. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { Call } from '../../http/route.ts'
import { removeFiles } from '../files/files.ts'
import { abandonOwnFiles, deleteSession, lockOwn, requireOwn } from '../sessions/sessions.ts'
import { moveToTrash } from '../trash/trash.ts'

export async function removeSession(
  ctx: Context,
  { user, visitor, params, query }: Call<typeof api.sessions.remove>,
) {
  await requireOwn(ctx, user.id, params.id)
  if (query.trash === 'true') {
    const moved = await moveToTrash(ctx, user.id, { kind: 'session', id: params.id }, visitor)
    if (moved === 'moved') return { message: 'Session moved to trash' }
  }
  // Content hidden by moderation cannot be restored, so it is deleted at once.
  const files = await atomically(ctx, async (ctx) => {
    const session = await lockOwn(ctx, user.id, params.id)
    const own = await abandonOwnFiles(ctx, session.id, 'all')
    const published = await ctx.publisher.withdrawSession(ctx, session.id)
    await deleteSession(ctx, session.id)
    return [...own, ...published]
  })
  await removeFiles(ctx, files)
  return { message: 'Session deleted successfully' }
}
