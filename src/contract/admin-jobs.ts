/** The queue as administrators see it: what waits, runs and is tried again, and what was given up. */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { problems } from './problems.ts'
import { pageLimit, spokenMessage, timestamp } from './values.ts'

export const jobStates = ['waiting', 'running', 'retrying', 'dead'] as const

/** Without what the job was given: that may name people and what is theirs. */
const job = z
  .object({
    id: z.uuid(),
    name: z.string(),
    state: z.enum(jobStates),
    /** How often it has been tried again. */
    retries: z.int(),
    /** Of the last try, cut to 500 characters. */
    error: z.string().nullable(),
    createdAt: timestamp,
    /** When it may begin, or begin again. */
    startAfter: timestamp,
  })
  .meta({ id: 'Job' })

const params = z.object({ id: z.uuid() })

export const adminJobs = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/jobs',
    summary: 'Jobs in a state, the newest first; the dead ones were tried as often as they may be.',
    who: 'admin',
    query: z.object({
      state: z.enum(jobStates).default('dead'),
      limit: pageLimit(100).default(50),
      cursor: z.string().max(200).optional(),
    }),
    answer: json(200, z.object({ items: z.array(job), nextCursor: z.string().nullable() })),
    failures: [],
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/admin/jobs/:id/retry',
    summary: 'Promise a dead job anew, with what it was given.',
    who: 'admin',
    params,
    answer: json(200, spokenMessage),
    failures: [problems.notFound],
  }),
  discard: endpoint({
    method: 'DELETE',
    path: '/api/admin/jobs/:id',
    summary: 'Forget a dead job.',
    who: 'admin',
    params,
    answer: json(200, spokenMessage),
    failures: [problems.notFound],
  }),
}
