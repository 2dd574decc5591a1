/** The storage use of an account, and the measuring of files that were stored before sizes were counted. */
import { z } from 'zod'
import { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { route } from '../../http/route.ts'
import { defineJob } from '../../jobs/job.ts'
import { findStorageUse, findUnmeasured, setMeasured } from './queries.ts'
import { readQuotaBytes } from './quota.ts'

const measuredAtOnce = 200

async function readStorage(ctx: Context, { user }: Call<typeof api.storage.read>) {
  const [use, quotaBytes] = [await findStorageUse(ctx, user.id), await readQuotaBytes(ctx, user.id)]
  return { ...use, quotaBytes }
}

/** Measures files. A missing file gets the size 0. */
export async function measureFiles(ctx: Context): Promise<void> {
  for (let isMore = true; isMore && !ctx.stopping.aborted;) {
    const keys = await findUnmeasured(ctx, measuredAtOnce)
    for (const key of keys) {
      const stored = await ctx.storage.stat('user-media', key)
      await setMeasured(ctx, { key, size: stored?.size ?? 0 })
    }
    isMore = keys.length === measuredAtOnce
  }
}

export const measureStoredFiles = defineJob({
  name: 'measure-stored-files',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 300,
  schedule: '*/10 * * * *',
  run: measureFiles,
})

export const storageRoutes = [route(api.storage.read, readStorage)]
