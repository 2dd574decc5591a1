/** Recent results of the picture tools: lists them with their expiry, and discards them. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { mediaUrlOf } from '../../http/media/media-url.ts'
import type { Call } from '../../http/route.ts'
import { abandonFiles, ownFileAt, removeFiles } from '../files/files.ts'
import { deleteResult, listResults, lockResult } from './queries.ts'
import { notAResult, temporaryLifeMs } from './results.ts'

const maxListed = 100

/** Leaves out expired results: they may still wait for the sweep, but can no longer be opened. */
export async function readResults(ctx: Context, { user }: Call<typeof api.images.results>) {
  const nowMs = ctx.now().getTime()
  const results = await listResults(ctx, user.id, maxListed)
  const items = results.map(({ bucket, key, createdAt, ...result }) => ({
    ...result,
    imageUrl: mediaUrlOf(ctx, { bucket, key }),
    createdAt: createdAt.toISOString(),
    expiresAt: new Date(createdAt.getTime() + temporaryLifeMs).toISOString(),
  }))
  return { items: items.filter(({ expiresAt }) => Date.parse(expiresAt) > nowMs) }
}

export async function discardResult(ctx: Context, { user, body }: Call<typeof api.images.discard>) {
  const file = ownFileAt(ctx, body.imageUrl)
  if (!file) throw notAResult()
  const gone = await atomically(ctx, async (ctx) => {
    if (!(await lockResult(ctx, user.id, file))) throw notAResult()
    await deleteResult(ctx, file)
    return abandonFiles(ctx, [file])
  })
  await removeFiles(ctx, gone)
  return { discarded: true as const }
}
