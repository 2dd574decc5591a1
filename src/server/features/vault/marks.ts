/** The owner's marks of a file: tags to find it by, and whether it is a favourite. */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import { JsonText } from '../../http/reply.ts'
import type { Call } from '../../http/route.ts'
import { refuseUnknownTags } from '../classification/classification.ts'
import { readFileJson } from './list/list.ts'
import { updateMarks } from './queries.ts'

export async function markMedia(ctx: Context, { user, params, body }: Call<typeof api.vault.mark>) {
  const tags = body.tags && [...new Set(body.tags)]
  if (tags) await refuseUnknownTags(ctx, 'tags', tags)
  const { id } = params
  const isMarked = await updateMarks(ctx, { userId: user.id, id }, { ...body, tags })
  if (!isMarked) throw problem.mediaNotFound()
  return new JsonText(await readFileJson(ctx, user.id, id))
}
