/** Creates a session from remote media. The request's fields select the kind of source. */
import type { api } from '../../../contract/api.ts'
import { sessionProblems } from '../../../contract/session-records.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { refuseOverQuota } from '../quota/quota.ts'
import { gatherAddresses } from './address-list.ts'
import { gatherImgchestPost } from './imgchest.ts'
import { gatherListing } from './listing.ts'
import type { NewImport } from './new-import.ts'
import { makeImport } from './new-import.ts'

type ImportCall = Call<typeof api.imports.importSession>

/** Returns the id of the session. */
export async function importFromElsewhere(ctx: Context, call: ImportCall): Promise<number> {
  const make = async () => makeImport(ctx, await gather(ctx, call))
  return make().catch((error: unknown) => {
    // A file was just deleted from the vault; the second attempt sees that.
    if (!(error instanceof Problem) || error.failure !== sessionProblems.mediaNotFound) throw error
    return make()
  })
}

async function gather(ctx: Context, { user, body }: ImportCall): Promise<NewImport> {
  await refuseOverQuota(ctx, user.id)
  const { url, urls, listing, title = '' } = body
  const made = { userId: user.id, title, importUrl: null }
  if (url !== undefined) {
    const post = await gatherImgchestPost(ctx, url, user)
    return {
      ...made,
      ...post,
      title: title || post.title,
      importSource: 'imgchest',
      importUrl: post.url,
    }
  }
  if (urls !== undefined)
    return { ...made, ...(await gatherAddresses(ctx, user.id, urls)), importSource: 'urls' }
  return { ...made, ...(await gatherListing(ctx, listing, user)), importSource: 'listing' }
}
