/** Lists the files in an account's folder, and removes those that remain after a deletion. */
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

/**
 * Removes files that remain after a deletion: a call that ran during the deletion may have stored a
 * picture for a day. Returns false if the account exists again: then its files and jobs are new.
 */
export async function removeLeftover(ctx: Context, userId: string): Promise<boolean> {
  // A development account is created again with the same id.
  if ((await findRole(ctx, userId)) !== undefined) return false
  const files = await ownFilesOf(ctx, userId)
  await removeFiles(ctx, await abandonFiles(ctx, files))
  return true
}

const queue = 'remove-left-files'

export const removeLeftoverFiles = defineJob({
  name: queue,
  // Absent when an earlier run reached its last step, which removes it.
  payload: z.object({ userId: z.string().optional() }),
  retries: 5,
  timeLimitSeconds: 600,
  async run(ctx, { userId }) {
    if (userId === undefined) return
    const isGone = await removeLeftover(ctx, userId)
    if (isGone) await forgetJobsOf(ctx, { userId, email: null, kept: queue })
    await forgetPayload(ctx, { name: queue, field: 'userId', value: userId })
  },
})
