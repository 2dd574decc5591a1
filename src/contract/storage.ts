/** The storage that an account uses, and its quota (contract, section 15). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'

export const storage = {
  read: endpoint({
    method: 'GET',
    path: '/api/user/storage',
    summary: 'The caller’s used storage and quota.',
    who: 'user',
    answer: json(
      200,
      z.object({
        /** Originals and results, each counted once, including the trash. */
        usedBytes: z.int(),
        /** Null if there is no limit. */
        quotaBytes: z.int().nullable(),
        /** The number of files outside the trash. */
        files: z.int(),
        trashBytes: z.int(),
      }),
    ),
    failures: [],
  }),
}
