/** The files in somebody's folder, and what is left there when nobody is left to name them. */
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { forgetJobsOf, forgetPayload } from '../../jobs/forget-account.ts'
import { defineJob } from '../../jobs/job.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { abandonFiles, removeFiles } from '../files/files.ts'
import { ownFile, userFolder } from '../vault/vault.ts'
import { findRole } from './queries.ts'

export async function ownFilesOf(ctx: Context, userId: string): Promise<FileAddress[]> {
  const files: FileAddress[] = []
  for await (const { key } of ctx.storage.list('user-media', userFolder(userId)))
    files.push(ownFile(key))
  return files
}

/** Calls that ran while the account was deleted may have kept a picture for a day. */
export async function removeLeft(ctx: Context, userId: string): Promise<void> {
  // A development account is made anew under its old id.
  if ((await findRole(ctx, userId)) !== undefined) return
  const files = await ownFilesOf(ctx, userId)
  await removeFiles(ctx, await abandonFiles(ctx, files))
}

const queue = 'remove-left-files'

export const removeLeftFiles = defineJob({
  name: queue,
  // None where an earlier run has got as far as its last step.
  payload: z.object({ userId: z.string().optional() }),
  retries: 5,
  timeLimitSeconds: 600,
  async run(ctx, { userId }) {
    if (userId === undefined) return
    await removeLeft(ctx, userId)
    await forgetJobsOf(ctx, { userId, email: null, kept: queue })
    await forgetPayload(ctx, { name: queue, field: 'userId', value: userId })
  },
})
