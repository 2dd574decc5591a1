/** How much one keeps, and how much one may (contract, section 15). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'

export const storage = {
  read: endpoint({
    method: 'GET',
    path: '/api/user/storage',
    summary: 'How much the caller keeps, and may keep.',
    who: 'user',
    answer: json(
      200,
      z.object({
        /** Originals and results, each once, with those in the trash. */
        usedBytes: z.int(),
        /** Null where there is no limit. */
        quotaBytes: z.int().nullable(),
        /** Those outside the trash. */
        files: z.int(),
        trashBytes: z.int(),
      }),
    ),
    failures: [],
  }),
}
