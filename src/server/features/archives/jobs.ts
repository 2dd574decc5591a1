/** Background jobs of library imports. */
import { z } from 'zod'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Job } from '../../jobs/job.ts'
import { defineJob } from '../../jobs/job.ts'
import { libraryQueue } from './import/library-queries.ts'
import { endSilent, restoreLibrary } from './import/restore-library.ts'

const payload = z.object({ importId: z.uuid() })

export const restoreLibraryJob: Job<typeof payload> = defineJob({
  name: libraryQueue,
  payload,
  retries: 5,
  timeLimitSeconds: 3600,
  atOnce: 2,
  run: async (ctx, { importId }) => {
    const { isDone } = await restoreLibrary(ctx, importId)
    // A worker that dies before this line has not completed its job, so the job runs again.
    if (!isDone) await enqueue(ctx, restoreLibraryJob, { importId })
  },
})

export const endSilentImports = defineJob({
  name: 'end-silent-imports',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 300,
  schedule: '*/10 * * * *',
  run: endSilent,
})
