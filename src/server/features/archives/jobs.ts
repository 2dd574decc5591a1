/** What imports of libraries do in the background. */
import { z } from 'zod'
import type { Job } from '../../jobs/job.ts'
import { defineJob } from '../../jobs/job.ts'
import { endSilent, restoreLibrary } from './restore-library.ts'

const payload = z.object({ importId: z.uuid() })

export const restoreLibraryJob: Job<typeof payload> = defineJob({
  name: 'restore-library',
  payload,
  retries: 5,
  timeLimitSeconds: 3600,
  run: (ctx, { importId }) => restoreLibrary(ctx, importId),
})

export const endSilentImports = defineJob({
  name: 'end-silent-imports',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 300,
  schedule: '*/10 * * * *',
  run: endSilent,
})
